-- base   reader
-- steps  3000 1000
-- Fifty minutes in which the reader hangs on the disk, and loses, in two steps of a hundred: compared with some 300 of the
-- others.
UPDATE disk SET time_io_ms = 990, sectors_written = 360000 WHERE step % 100 IN (0, 1);
UPDATE process SET write_bytes = 180000000, role = 'disk' WHERE pid = 990 AND step % 100 IN (0, 1);
UPDATE process SET state = 'D', wait_channel = 'jbd2_log_wait_commit', run_us = 80000, user_us = 50000, system_us = 30000, reader_run_permille = 80,
    looks_running = 2, looks_sleeping = 6, looks_receiving = 6, looks_blocked = 12, write_bytes = 400000
WHERE pid = 812 AND step % 100 IN (0, 1);
UPDATE socket SET drops = 5200, looks_full = 12, looks_empty = 6, queue_bytes = 212160 WHERE step % 100 IN (0, 1);
UPDATE snmp SET udp_in_datagrams = 14800, udp_in_errors = 5200, udp_rcvbuf_errors = 5200 WHERE step % 100 IN (0, 1);
