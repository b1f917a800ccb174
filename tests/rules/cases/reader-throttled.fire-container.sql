-- base   reader
-- A container's own limit (cgroup v1, where the times of all CPUs add up).
UPDATE process SET container = 'dns-1', unit = '', cgroup = '/docker/4f2a', memory_cgroup = '/docker/4f2a', freezer_cgroup = '/docker/4f2a',
    threads = 4, readers = 2 WHERE pid = 812;
UPDATE cgroup SET path = '/docker/4f2a', parent = '/docker', unit = '', version = 1, quota_us = 50000, periods = 10, throttled_periods = 9,
    throttled_us = 1080000 WHERE path = '/system.slice/rsyslog.service';
UPDATE socket SET drops = 3000, looks_full = 9, looks_empty = 3;
UPDATE snmp SET udp_in_datagrams = 17000, udp_in_errors = 3000, udp_rcvbuf_errors = 3000;
UPDATE process SET run_us = 500000, delay_us = 1900000, reader_run_permille = 250, reader_delay_permille = 740 WHERE pid = 812;
