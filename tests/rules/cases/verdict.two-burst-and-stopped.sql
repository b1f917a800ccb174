-- base   two
-- Bursts at port 53, and a stopped reader at port 514: two causes with their own counts.
UPDATE socket SET drops = 240, looks_full = 2, looks_empty = 13 WHERE port = 53 AND step % 6 = 0;
UPDATE socket SET drops = 900, looks_full = 20, looks_empty = 0, queue_bytes = 212160 WHERE port = 514 AND step > 20;
UPDATE process SET state = 'T', wait_channel = 'do_signal_stop', run_us = 0, user_us = 0, system_us = 0, delay_us = 0, reader_run_permille = 0,
    looks_running = 0, looks_sleeping = 0, looks_receiving = 0, looks_stopped = 20 WHERE pid = 812 AND step > 20;
UPDATE snmp SET udp_rcvbuf_errors = 900 WHERE step > 20;
UPDATE snmp SET udp_rcvbuf_errors = udp_rcvbuf_errors + 240 WHERE step % 6 = 0;
UPDATE snmp SET udp_in_errors = udp_rcvbuf_errors;
