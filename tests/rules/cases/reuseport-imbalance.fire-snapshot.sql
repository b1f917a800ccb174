-- base none
-- kind since-boot
-- A pasted list: one of four members lost all, the others have nothing waiting.
INSERT INTO socket(step, netns, cookie, inode, protocol, family, address, port, connected, rcvbuf_bytes, queue_bytes,
    queue_peak_bytes, drops, reuseport_members, reuseport_empty)
VALUES (1, 'host', 0, 7, 'udp', 4, '0.0.0.0', 53, 0, 212992, 213312, 213312, 99120, 4, 3),
       (1, 'host', 0, 8, 'udp', 4, '0.0.0.0', 53, 0, 212992, 0, 0, 0, 4, 3),
       (1, 'host', 0, 9, 'udp', 4, '0.0.0.0', 53, 0, 212992, 0, 0, 0, 4, 3),
       (1, 'host', 0, 10, 'udp', 4, '0.0.0.0', 53, 0, 212992, 0, 0, 0, 4, 3);
