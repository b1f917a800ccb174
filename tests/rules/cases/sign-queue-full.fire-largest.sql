-- base none
-- kind since-boot
-- What waits is the most that a program may ask for where nobody changed the limits.
INSERT INTO socket(step, netns, cookie, inode, protocol, family, address, port, connected, queue_bytes, queue_peak_bytes)
VALUES (1, 'host', 0, 7, 'udp', 4, '192.0.2.8', 5060, 0, 425984, 425984);
