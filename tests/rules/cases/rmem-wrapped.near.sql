-- base   reader
-- A large datagram on top of a full buffer, and a buffer that was made smaller: both are allowed.
UPDATE socket SET rmem_bytes = 212992 + 102656, rcvbuf_bytes = 106496;
