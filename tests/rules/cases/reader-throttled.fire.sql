-- base   reader
-- The reader's slice has a quota of 20 % of a CPU; from the middle on it needs more than that.
UPDATE cgroup SET quota_us = 20000, periods = 10, throttled_periods = 10, throttled_us = 700000 WHERE path = '/system.slice' AND step > 30;
UPDATE cgroup SET quota_us = 20000, periods = 10 WHERE path = '/system.slice' AND step <= 30;
UPDATE socket SET drops = 5000, looks_full = 14, looks_empty = 1, queue_bytes = 190000 WHERE step > 30;
UPDATE snmp SET udp_in_datagrams = 15000, udp_in_errors = 5000, udp_rcvbuf_errors = 5000 WHERE step > 30;
UPDATE process SET run_us = 200000, user_us = 120000, system_us = 80000, delay_us = 720000, reader_run_permille = 200,
    reader_delay_permille = 720, looks_running = 18, looks_sleeping = 2, looks_receiving = 2
WHERE step > 30 AND pid = 812;
