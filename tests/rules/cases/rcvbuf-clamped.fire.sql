-- base   reader
-- The program asks for 4 MiB, rmem_max is 208 KiB: it got 416 KiB, and bursts do not fit.
UPDATE socket SET rcvbuf_bytes = 425984;
UPDATE socket SET drops = 1500, looks_full = 2, looks_empty = 13, queue_peak_bytes = 425000 WHERE step % 10 = 0;
UPDATE snmp SET udp_in_datagrams = 60000, udp_in_errors = 1500, udp_rcvbuf_errors = 1500 WHERE step % 10 = 0;
