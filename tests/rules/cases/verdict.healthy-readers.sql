-- base   two
-- Everything is busy and nothing is lost: one reader runs nine tenths of the time, the other waits for its CPU and its disk
-- now and then, its quota stops it, and a debugger held it for a moment.
UPDATE process SET run_us = 900000, reader_run_permille = 900 WHERE pid = 640;
UPDATE process SET delay_us = 300000, looks_blocked = 6, looks_sleeping = 7, state = 'D' WHERE pid = 812 AND step % 3 = 0;
UPDATE process SET looks_stopped = 10, state = 't' WHERE pid = 812 AND step = 31;
UPDATE cgroup SET quota_us = 40000, periods = 10, throttled_periods = 2, throttled_us = 90000 WHERE path = '/system.slice/rsyslog.service';
UPDATE cpu SET user = 70, idle = 8 WHERE cpu IN (2, 3);
UPDATE socket SET queue_peak_bytes = 150000;
