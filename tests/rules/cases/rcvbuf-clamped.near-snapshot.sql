-- base none
-- kind since-boot
-- The same, full: no buffer helps a reader that does not come after.
INSERT INTO sysctl(step, netns, rmem_max_bytes, rmem_default_bytes) VALUES (1, 'host', 212992, 212992);
INSERT INTO socket(step, netns, cookie, inode, protocol, family, address, port, connected, rcvbuf_bytes, rmem_bytes,
    queue_bytes, queue_peak_bytes, drops)
VALUES (1, 'host', 0, 7, 'udp', 4, '0.0.0.0', 2055, 0, 425984, 426100, 426100, 426100, 88120);
