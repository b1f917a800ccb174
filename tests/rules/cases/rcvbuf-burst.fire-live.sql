-- base   reader
-- steps  5
-- Five seconds with a burst in each of them, of a program that sets its buffer itself.
UPDATE sysctl SET rmem_max_bytes = 16777216 WHERE netns = 'host';
UPDATE socket SET rcvbuf_bytes = 425984, drops = 300, looks_full = 3, looks_empty = 12;
UPDATE snmp SET udp_in_datagrams = 21000, udp_in_errors = 300, udp_rcvbuf_errors = 300;
