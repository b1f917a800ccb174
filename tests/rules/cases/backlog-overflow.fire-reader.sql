-- base   reader
-- The backlog of the CPU on which the reader runs overflows, and so does its queue.
UPDATE softnet SET dropped = 1137 WHERE cpu = 2 AND step % 10 = 0;
UPDATE socket SET drops = 300, looks_full = 3, looks_empty = 14 WHERE step % 10 = 0;
UPDATE snmp SET udp_in_datagrams = 60000, udp_in_errors = 300, udp_rcvbuf_errors = 300 WHERE step % 10 = 0;
