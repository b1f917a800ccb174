-- base   two
-- The reader of a container's namespace is at its limit; the host's reader waits for a lock.
INSERT INTO snmp(step, netns, netns_inode, netns_pid, udp_in_datagrams, udp_in_errors, udp_rcvbuf_errors, udp_no_ports, udp_in_csum_errors, udp_mem_errors, udp_out_datagrams)
SELECT step, 'dns-1', 4026532000, 640, 8000, 600, 600, 0, 0, 0, 0 FROM step;
UPDATE socket SET netns = 'dns-1', cookie = 0, rcvbuf_bytes = NULL, rmem_bytes = NULL, looks = NULL, looks_full = NULL, looks_empty = NULL, queue_peak_bytes = NULL,
    drops = 600, queue_bytes = 200000 + 832 * (step * 7 % 15) WHERE port = 53;
UPDATE process SET netns = 'dns-1', container = 'dns-1', threads = 1, readers = 1, run_us = 990000, reader_run_permille = 990, state = 'R', wait_channel = '', looks_running = 20, looks_sleeping = 0,
    looks_receiving = 0 WHERE pid = 640;
UPDATE process SET threads = 4, state = 'S', wait_channel = 'futex_wait_queue', run_us = 60000, reader_run_permille = 60, looks_running = 1, looks_sleeping = 19, looks_receiving = 2
WHERE pid = 812 AND step % 5 = 0;
UPDATE socket SET drops = 5000, looks_full = 16, looks_empty = 2, queue_bytes = 212160 WHERE port = 514 AND step % 5 = 0;
UPDATE snmp SET udp_in_datagrams = 15000, udp_in_errors = 5000, udp_rcvbuf_errors = 5000 WHERE netns = 'host' AND step % 5 = 0;
