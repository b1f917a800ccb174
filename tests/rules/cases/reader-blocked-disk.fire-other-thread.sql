-- base   reader
-- The thread that reads waits for a lock of the thread that writes, and that one for the disk.
UPDATE disk SET time_io_ms = 990, sectors_written = 60000 WHERE step > 40;
UPDATE process SET threads = 3, blocked_channel = 'jbd2_log_wait_commit';
UPDATE process SET state = 'S', wait_channel = 'futex_wait_queue', run_us = 60000, reader_run_permille = 60, looks_running = 2, looks_sleeping = 18,
    looks_receiving = 1, looks_other_blocked = 17, write_bytes = 30000000
WHERE pid = 812 AND step > 40;
UPDATE socket SET drops = 7800, looks_full = 17, looks_empty = 1, queue_bytes = 212160 WHERE step > 40;
UPDATE snmp SET udp_in_datagrams = 12200, udp_in_errors = 7800, udp_rcvbuf_errors = 7800 WHERE step > 40;
