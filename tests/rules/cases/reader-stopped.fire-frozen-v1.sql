-- base   reader
-- The reader's control group (v1) is frozen and thawed again: D in __refrigerator is no disk.
UPDATE cgroup SET version = 1, frozen = step BETWEEN 20 AND 40 WHERE path = '/system.slice/rsyslog.service';
UPDATE socket SET drops = 9000, looks_full = 20, looks_empty = 0, queue_bytes = 212160 WHERE step BETWEEN 20 AND 40;
UPDATE snmp SET udp_in_datagrams = 11000, udp_in_errors = 9000, udp_rcvbuf_errors = 9000 WHERE step BETWEEN 20 AND 40;
UPDATE process SET state = 'D', wait_channel = '__refrigerator', run_us = 0, user_us = 0, system_us = 0, delay_us = 0,
    looks_running = 0, looks_sleeping = 0, looks_receiving = 0, looks_blocked = 20
WHERE step BETWEEN 20 AND 40 AND pid = 812;
