-- base   reader
-- Somebody stops the reader for the second half of the minute; nobody has told it to go on yet.
UPDATE socket SET drops = 9000, looks_full = 20, looks_empty = 0, queue_bytes = 212160, rmem_bytes = 212160, queue_peak_bytes = 212160 WHERE step > 30;
UPDATE snmp SET udp_in_datagrams = 11000, udp_in_errors = 9000, udp_rcvbuf_errors = 9000 WHERE step > 30;
UPDATE process SET state = 'T', wait_channel = 'do_signal_stop', run_us = 0, user_us = 0, system_us = 0, delay_us = 0, switches_voluntary = 0,
    switches_involuntary = 0, write_bytes = 0, reader_run_permille = 0, hottest_run_permille = 0, reader_delay_permille = 0,
    looks_running = 0, looks_sleeping = 0, looks_receiving = 0, looks_stopped = 20
WHERE step > 30 AND pid = 812;
