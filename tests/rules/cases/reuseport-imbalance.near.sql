-- base   reader
-- Two sockets share the port, both are full.
INSERT INTO socket SELECT * FROM (SELECT step, netns, 1002 AS cookie, 50002 AS inode, protocol, family, address, port, peer_address, peer_port, interface, uid, connected,
    rcvbuf_bytes, rmem_bytes, queue_bytes, queue_peak_bytes, sndbuf_bytes, wmem_bytes, drops, looks, looks_full, looks_empty, 2, 0, 1, 'found', '', NULL, '' FROM socket);
INSERT INTO owner(step, inode, pid, start_time, fd, netns) SELECT step, 50002, 812, 1200, 5, 'host' FROM step;
UPDATE process SET threads = 2, readers = 2, run_us = 1950000, reader_run_permille = 970, looks_running = 20, looks_sleeping = 0, looks_receiving = 0, state = 'R' WHERE pid = 812;
UPDATE socket SET drops = 3000, looks_full = 19, looks_empty = 0, queue_bytes = 212000, reuseport_members = 2, reuseport_empty = 0;
UPDATE snmp SET udp_in_datagrams = 14000, udp_in_errors = 6000, udp_rcvbuf_errors = 6000;
