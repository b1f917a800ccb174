-- base   reader
-- The quota stops the reader each fifth second, at times when little comes; what is lost is lost at other times.
UPDATE cgroup SET quota_us = 20000, periods = 10, throttled_periods = 3, throttled_us = 200000 WHERE path = '/system.slice' AND step % 5 = 0;
UPDATE socket SET drops = 700, looks_full = 1 WHERE step % 10 = 3;
UPDATE snmp SET udp_in_datagrams = 60000, udp_in_errors = 700, udp_rcvbuf_errors = 700 WHERE step % 10 = 3;
