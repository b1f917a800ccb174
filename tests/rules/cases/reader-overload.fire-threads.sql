-- base   reader
-- More threads than CPUs: each runs half of the time, together they have all CPUs.
UPDATE process SET threads = 12, readers = 8, run_us = 3800000, user_us = 3000000, system_us = 800000, delay_us = 6000000, reader_run_permille = 480,
    reader_delay_permille = 500, looks_running = 20, looks_sleeping = 0, looks_receiving = 0, state = 'R'
WHERE pid = 812;
UPDATE cpu SET user = 80, system = 15, idle = 0, softirq = 5;
UPDATE socket SET drops = 15000, looks_full = 19, looks_empty = 0, queue_bytes = 212000;
UPDATE snmp SET udp_in_datagrams = 20000, udp_in_errors = 15000, udp_rcvbuf_errors = 15000;
