-- base none
-- kind since-boot
-- Nothing but a list of sockets: what they dropped is all that is known.
INSERT INTO socket(step, netns, cookie, inode, protocol, family, address, port, connected, rcvbuf_bytes, rmem_bytes,
    queue_bytes, queue_peak_bytes, drops)
VALUES (1, 'host', 0, 7, 'udp', 4, '0.0.0.0', 514, 0, 212992, 0, 0, 0, 1908),
       (1, 'host', 0, 8, 'udp', 4, '0.0.0.0', 53, 0, 212992, 0, 0, 0, 0);
