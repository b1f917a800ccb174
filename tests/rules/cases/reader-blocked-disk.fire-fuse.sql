-- base   reader
-- The reader logs to a FUSE file system whose server is slow: it sleeps (S), no disk is busy.
UPDATE process SET state = 'S', wait_channel = 'request_wait_answer', run_us = 60000, reader_run_permille = 60, looks_running = 2, looks_sleeping = 18, looks_receiving = 1
WHERE pid = 812 AND step > 40;
UPDATE socket SET drops = 7800, looks_full = 17, looks_empty = 1, queue_bytes = 212160 WHERE step > 40;
UPDATE snmp SET udp_in_datagrams = 12200, udp_in_errors = 7800, udp_rcvbuf_errors = 7800 WHERE step > 40;
