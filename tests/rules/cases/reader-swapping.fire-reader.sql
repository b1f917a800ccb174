-- base   reader
-- The reader's group is at its memory limit: its own pages come back one by one.
UPDATE cgroup SET memory_max_bytes = 41943040, memory_current_bytes = 41943040, memory_max_events = 900 WHERE path = '/system.slice/rsyslog.service';
UPDATE cgroup SET memory_max_events = 0 WHERE path = '/system.slice/rsyslog.service' AND step <= 30;
UPDATE process SET state = 'D', wait_channel = 'folio_wait_bit_common', run_us = 100000, reader_run_permille = 100, major_faults = 1800,
    looks_running = 3, looks_sleeping = 3, looks_receiving = 3, looks_blocked = 14 WHERE pid = 812 AND step > 30;
UPDATE memory SET pswpin = 1800, pgmajfault = 1800 WHERE step > 30;
UPDATE socket SET drops = 6100, looks_full = 14, looks_empty = 2, queue_bytes = 212160 WHERE step > 30;
UPDATE snmp SET udp_in_datagrams = 13900, udp_in_errors = 6100, udp_rcvbuf_errors = 6100 WHERE step > 30;
