-- base   reader
-- The disk is busy in the seconds with loss, but the reader never waits for it: bursts.
UPDATE disk SET time_io_ms = 990, sectors_written = 360000 WHERE step % 10 = 0;
UPDATE pressure SET some_total_us = 700000 WHERE resource = 'io' AND step % 10 = 0;
UPDATE process SET write_bytes = 180000000, role = 'disk', state = 'D' WHERE pid = 990 AND step % 10 = 0;
UPDATE socket SET drops = 700, looks_full = 1 WHERE step % 10 = 0;
UPDATE snmp SET udp_in_datagrams = 60000, udp_in_errors = 700, udp_rcvbuf_errors = 700 WHERE step % 10 = 0;
