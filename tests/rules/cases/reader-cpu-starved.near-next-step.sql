-- steps  60 200
-- base   reader
-- A quota stops the reader where one step ends and the next begins: the waiting is counted in the first, the throttling in the
-- second.
UPDATE cgroup SET quota_us = 10000, periods = 2, throttled_periods = 2 - (step % 6 <> 1), throttled_us = CASE step % 6 WHEN 0 THEN 80000
    WHEN 1 THEN 160000 ELSE 0 END
WHERE path = '/system.slice/rsyslog.service';
UPDATE socket SET drops = 500, looks_full = 14, looks_empty = 1, queue_bytes = 190000 WHERE step % 6 < 2;
UPDATE snmp SET udp_in_datagrams = 1500, udp_in_errors = 500, udp_rcvbuf_errors = 500 WHERE step % 6 < 2;
UPDATE process SET run_us = 40000, delay_us = CASE step % 6 WHEN 0 THEN 140000 ELSE 100000 END, reader_run_permille = 200,
    reader_delay_permille = CASE step % 6 WHEN 0 THEN 700 ELSE 500 END, looks_running = 4, looks_sleeping = 16, looks_receiving = 16
WHERE pid = 812 AND step % 6 < 2;
UPDATE process SET run_us = 70000, user_us = 40000, system_us = 30000, delay_us = 400 WHERE pid = 812 AND step % 6 >= 2;
