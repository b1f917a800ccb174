-- base   reader
-- It has a filter, but what it lost found its queue full.
UPDATE socket SET drops = 700, has_filter = 1, looks_full = 2, looks_empty = 14 WHERE step % 10 = 0;
UPDATE snmp SET udp_in_datagrams = 60000, udp_in_errors = 700, udp_rcvbuf_errors = 700 WHERE step % 10 = 0;
