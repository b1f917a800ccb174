-- base   reader
-- Every tenth second the reader waits most of the time for a lock that another of its threads holds.
UPDATE process SET threads = 4, readers = 1;
UPDATE process SET state = 'S', wait_channel = 'futex_wait_queue', run_us = 90000, reader_run_permille = 90, looks_running = 2, looks_sleeping = 18, looks_receiving = 3
WHERE pid = 812 AND step % 10 IN (0, 1);
UPDATE socket SET drops = 5600, looks_full = 15, looks_empty = 3, queue_bytes = 212160 WHERE step % 10 IN (0, 1);
UPDATE snmp SET udp_in_datagrams = 14400, udp_in_errors = 5600, udp_rcvbuf_errors = 5600 WHERE step % 10 IN (0, 1);
