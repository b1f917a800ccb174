-- base   reader
-- zram is quick: the reader takes 50,000 major faults a second and still reads; what it loses are bursts.
UPDATE process SET major_faults = 50000, system_us = 500000, run_us = 650000, reader_run_permille = 650, looks_running = 13, looks_sleeping = 7, looks_receiving = 7 WHERE pid = 812;
UPDATE memory SET pswpin = 50000, pgmajfault = 50000;
UPDATE pressure SET some_total_us = 400000 WHERE resource = 'memory';
UPDATE socket SET drops = 700, looks_full = 1 WHERE step % 10 = 0;
UPDATE snmp SET udp_in_datagrams = 60000, udp_in_errors = 700, udp_rcvbuf_errors = 700 WHERE step % 10 = 0;
