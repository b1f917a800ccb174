-- base   reader
-- Many threads that compute for each datagram, and lose their turn on the CPUs meanwhile: nobody is woken for nothing.
UPDATE process SET threads = 5, readers = 4, switches_voluntary = 300, switches_involuntary = 3000, run_us = 1700000, delay_us = 1800000
WHERE pid = 812;
UPDATE socket SET drops = 7000, looks_full = 18, looks_empty = 0, queue_bytes = 212160;
UPDATE snmp SET udp_in_datagrams = 1100, udp_in_errors = 7000, udp_rcvbuf_errors = 7000 WHERE netns = 'host';
