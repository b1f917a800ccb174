-- base   reader
-- Frozen by its group of v2, which is mounted beside v1, and belongs to no unit.
UPDATE cgroup SET frozen = 1, freezer_folder = '/sys/fs/cgroup/unified/system.slice/rsyslog.service' WHERE step > 20;
UPDATE socket SET drops = 9000, looks_full = 20, looks_empty = 0, queue_bytes = 212160 WHERE step > 20;
UPDATE snmp SET udp_in_datagrams = 11000, udp_in_errors = 9000, udp_rcvbuf_errors = 9000 WHERE step > 20;
UPDATE process SET unit = '', state = 'S', wait_channel = 'get_signal', run_us = 0, user_us = 0, system_us = 0, delay_us = 0,
    looks_running = 0, looks_sleeping = 20, looks_receiving = 0
WHERE step > 20 AND pid = 812;
