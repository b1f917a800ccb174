-- base   reader
-- A deadlock: the only thread waits for a lock throughout.
UPDATE process SET state = 'S', wait_channel = 'futex_do_wait', run_us = 0, user_us = 0, system_us = 0, delay_us = 0, switches_voluntary = 0, switches_involuntary = 0,
    reader_run_permille = 0, readers = 0, looks_running = 0, looks_sleeping = 20, looks_receiving = 0, write_bytes = 0 WHERE pid = 812;
UPDATE socket SET drops = 9000, looks_full = 20, looks_empty = 0, queue_bytes = 212160, rmem_bytes = 212160;
UPDATE snmp SET udp_in_datagrams = 11000, udp_in_errors = 9000, udp_rcvbuf_errors = 9000;
