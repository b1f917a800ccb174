-- base   two
-- A media server has a socket for each call: its process is at its limit, and forty of its ports lose a little each.
CREATE TEMP TABLE calls AS WITH RECURSIVE k(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k WHERE n < 40) SELECT n FROM k;
INSERT INTO socket(step, netns, cookie, inode, protocol, family, address, port, peer_address, peer_port, interface, uid, connected,
    rcvbuf_bytes, rmem_bytes, queue_bytes, queue_peak_bytes, sndbuf_bytes, wmem_bytes, drops, looks, looks_full,
    looks_empty, reuseport_members, reuseport_empty, owners, owner_state, kernel_user, has_filter, cgroup)
SELECT step, 'host', 2000 + n, 60000 + n, 'udp', 4, '192.0.2.1', 30000 + 2 * n, '', 0, '', 0, 0,
       212992, 212000, 211000 - 832 * (step * n % 7), 212160, 212992, 0, 20, 5, 4, 0, 1, 0, 1, 'found', '', NULL, '' FROM step, calls;
INSERT INTO owner(step, inode, pid, start_time, fd, netns) SELECT step, 60000 + n, 640, 900, 10 + n, 'host' FROM step, calls;
UPDATE process SET comm = 'mediad', threads = 3, readers = 1, run_us = 990000, reader_run_permille = 985, hottest_run_permille = 985, state = 'R', wait_channel = '',
    looks_running = 20, looks_sleeping = 0, looks_receiving = 0 WHERE pid = 640;
UPDATE snmp SET udp_in_errors = 800, udp_rcvbuf_errors = 800;
