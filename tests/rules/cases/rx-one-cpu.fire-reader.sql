-- base   reader
-- All packets come in on CPU 2, where the reader runs too.
UPDATE softnet SET processed = CASE cpu WHEN 2 THEN 80000 ELSE 100 END, time_squeeze = CASE cpu WHEN 2 THEN 90 ELSE 0 END;
UPDATE cpu SET softirq = 88, user = 7, system = 3, idle = 2 WHERE cpu = 2;
UPDATE nic SET channels = 1;
UPDATE link SET rx_packets = 81000, rx_missed_errors = 3000 WHERE interface = 'eth0';
UPDATE process SET run_us = 980000, reader_run_permille = 980 WHERE pid = 812;
UPDATE socket SET drops = 500, looks_full = 15, looks_empty = 1;
UPDATE snmp SET udp_in_errors = 500, udp_rcvbuf_errors = 500;
