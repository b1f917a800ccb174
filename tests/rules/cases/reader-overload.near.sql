-- base   reader
-- One hot thread among idle ones: that is reader-cpu-bound.
UPDATE process SET threads = 4, readers = 1, run_us = 1100000, delay_us = 12000, reader_run_permille = 980, hottest_run_permille = 980,
    reader_delay_permille = 8, looks_running = 20, looks_sleeping = 0, looks_receiving = 0, state = 'R', wait_channel = ''
WHERE pid = 812;
UPDATE cpu SET user = 90, system = 8, idle = 0, softirq = 2 WHERE cpu = 2;
UPDATE socket SET drops = 4000, looks_full = 17, looks_empty = 0, queue_bytes = 212000;
UPDATE snmp SET udp_in_datagrams = 16000, udp_in_errors = 4000, udp_rcvbuf_errors = 4000;
