-- base   reader
-- Half of them were lost by sockets that are gone.
UPDATE socket SET drops = 155, looks_full = 2, looks_empty = 14 WHERE step IN (10, 20, 30, 40);
UPDATE snmp SET udp_in_datagrams = 60000, udp_in_errors = 310, udp_rcvbuf_errors = 310 WHERE step IN (10, 20, 30, 40);
