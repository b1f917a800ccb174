-- base   reader
-- Every write of its log waits for a slow disk. After a burst it works off its queue for almost three seconds, without loss and
-- just as blocked: that says nothing against the disk.
UPDATE disk SET time_io_ms = 990, sectors_written = 800 WHERE step % 5 IN (0, 1, 2);
UPDATE process SET state = 'D', wait_channel = '__iomap_dio_rw', run_us = 2000, user_us = 1000, system_us = 1000, reader_run_permille = 2,
    looks_running = 0, looks_sleeping = 0, looks_receiving = 0, looks_blocked = 20, write_bytes = 400000
WHERE pid = 812 AND step % 5 IN (0, 1);
UPDATE process SET state = 'D', wait_channel = '__iomap_dio_rw', run_us = 2000, user_us = 1000, system_us = 1000, reader_run_permille = 2,
    looks_running = 0, looks_sleeping = 0, looks_receiving = 0, looks_blocked = 20, write_bytes = 300000
WHERE pid = 812 AND step % 5 = 2;
UPDATE process SET looks_running = 0, looks_sleeping = 12, looks_receiving = 12, looks_blocked = 8 WHERE pid = 812 AND step % 5 = 3;
UPDATE socket SET drops = 2800, looks_full = 20, looks_empty = 0, queue_bytes = 208000 WHERE step % 5 = 0;
UPDATE socket SET looks_empty = 0, queue_bytes = 90000 WHERE step % 5 = 1;
UPDATE socket SET looks_empty = 0, queue_bytes = 9000 WHERE step % 5 = 2;
UPDATE socket SET looks_empty = 12, queue_bytes = 0 WHERE step % 5 = 3;
UPDATE snmp SET udp_in_datagrams = 100, udp_in_errors = 2800, udp_rcvbuf_errors = 2800 WHERE step % 5 = 0;
UPDATE snmp SET udp_in_datagrams = 100 WHERE step % 5 IN (1, 2);
