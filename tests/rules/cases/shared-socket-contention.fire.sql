-- base   reader
-- Eight threads read one socket: three and more switches for each datagram.
UPDATE process SET threads = 9, readers = 8, run_us = 2200000, delay_us = 600000, reader_run_permille = 280, reader_delay_permille = 80, switches_voluntary = 75000, switches_involuntary = 2000,
    looks_running = 8, looks_sleeping = 12, looks_receiving = 4, wait_channel = 'futex_wait_queue' WHERE pid = 812;
UPDATE socket SET drops = 9000, looks_full = 17, looks_empty = 1, queue_bytes = 211000 - 832 * (step % 9);
UPDATE snmp SET udp_in_datagrams = 21000, udp_in_errors = 9000, udp_rcvbuf_errors = 9000;
