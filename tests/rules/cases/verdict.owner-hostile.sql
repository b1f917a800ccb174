-- base   reader
-- A process may call itself anything; several hold the socket.
UPDATE process SET comm = 'a' || char(27) || '[31m' || char(10) || ')x', unit = '', executable = '/tmp/' || char(27), threads = 3, readers = 1 WHERE pid = 812;
INSERT INTO owner(step, inode, pid, start_time, fd, netns) SELECT step, 50001, 813, 1201, 4, 'host' FROM step;
UPDATE process SET state = 'S', wait_channel = 'futex_wait_queue', run_us = 60000, reader_run_permille = 60, looks_running = 1, looks_sleeping = 19, looks_receiving = 2
WHERE pid = 812 AND step % 5 = 0;
UPDATE socket SET owners = 2;
UPDATE socket SET drops = 5000, looks_full = 16, looks_empty = 2, queue_bytes = 212160 WHERE step % 5 = 0;
UPDATE snmp SET udp_in_datagrams = 15000, udp_in_errors = 5000, udp_rcvbuf_errors = 5000 WHERE netns = 'host' AND step % 5 = 0;
