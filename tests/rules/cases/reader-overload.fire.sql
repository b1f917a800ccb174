-- base   reader
-- Four threads, four CPUs, all of them full throughout.
UPDATE process SET threads = 4, readers = 4, run_us = 3700000, user_us = 3000000, system_us = 700000, delay_us = 200000, reader_run_permille = 930,
    hottest_run_permille = 940, reader_delay_permille = 50, looks_running = 20, looks_sleeping = 0, looks_receiving = 0, state = 'R', wait_channel = ''
WHERE pid = 812;
UPDATE cpu SET user = 80, system = 15, idle = 0, softirq = 5;
UPDATE socket SET drops = 15000, looks_full = 19, looks_empty = 0, queue_bytes = 212000;
UPDATE snmp SET udp_in_datagrams = 20000, udp_in_errors = 15000, udp_rcvbuf_errors = 15000;
