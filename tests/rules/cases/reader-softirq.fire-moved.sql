-- base   reader
-- Later it runs on another CPU: the one on which it lost is named.
-- All packets come in on the reader's CPU: two thirds of it are softirq, and the reader seems to be busy.
UPDATE process SET run_us = 985000, user_us = 300000, system_us = 685000, delay_us = 8000, reader_run_permille = 985, hottest_run_permille = 985,
    looks_running = 20, looks_sleeping = 0, looks_receiving = 0, state = 'R', wait_channel = ''
WHERE pid = 812 AND step > 20;
UPDATE cpu SET user = 28, system = 8, idle = 0, softirq = 64 WHERE cpu = 2 AND step > 20;
UPDATE socket SET drops = 4000, looks_full = 17, looks_empty = 0, queue_bytes = 212000 WHERE step > 20;
UPDATE snmp SET udp_in_datagrams = 16000, udp_in_errors = 4000, udp_rcvbuf_errors = 4000 WHERE step > 20;
UPDATE process SET last_cpu = 0 WHERE pid = 812 AND step > 54;
