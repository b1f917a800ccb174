-- base   reader
-- One thread, each datagram costs too much: it runs all the time, and loses what it does not get to.
UPDATE process SET run_us = 985000, user_us = 900000, system_us = 85000, delay_us = 8000, reader_run_permille = 985, hottest_run_permille = 985,
    reader_delay_permille = 8, switches_voluntary = 2, looks_running = 20, looks_sleeping = 0, looks_receiving = 0, state = 'R', wait_channel = ''
WHERE pid = 812 AND step > 20;
UPDATE cpu SET user = 90, system = 8, idle = 0, softirq = 2 WHERE cpu = 2 AND step > 20;
UPDATE socket SET drops = 4000, looks_full = 17, looks_empty = 0, queue_bytes = 212000 WHERE step > 20;
UPDATE snmp SET udp_in_datagrams = 16000, udp_in_errors = 4000, udp_rcvbuf_errors = 4000 WHERE step > 20;
