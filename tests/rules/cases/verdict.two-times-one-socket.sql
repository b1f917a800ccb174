-- base   two
-- One socket, two troubles: in the first half its disk is slow, in the second its quota is used up.
UPDATE disk SET time_io_ms = 990, sectors_written = 360000 WHERE step BETWEEN 5 AND 25;
UPDATE process SET state = 'D', wait_channel = 'folio_wait_bit', run_us = 80000, reader_run_permille = 80, looks_running = 2, looks_sleeping = 4, looks_receiving = 4, looks_blocked = 14
WHERE pid = 812 AND step BETWEEN 5 AND 25;
UPDATE cgroup SET quota_us = 20000 WHERE path = '/system.slice/rsyslog.service';
UPDATE cgroup SET periods = 10, throttled_periods = 10, throttled_us = 700000 WHERE path = '/system.slice/rsyslog.service' AND step > 35;
UPDATE process SET run_us = 200000, delay_us = 720000, reader_run_permille = 200, reader_delay_permille = 720, looks_running = 18, looks_sleeping = 2, looks_receiving = 2
WHERE pid = 812 AND step > 35;
UPDATE socket SET drops = 5000, looks_full = 14, looks_empty = 1 WHERE port = 514 AND (step BETWEEN 5 AND 25 OR step > 35);
UPDATE snmp SET udp_in_datagrams = 15000, udp_in_errors = 5000, udp_rcvbuf_errors = 5000 WHERE step BETWEEN 5 AND 25 OR step > 35;
