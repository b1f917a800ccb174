-- kind   since-boot
-- base   none
-- A queue that is half full, of a limit that is in the input; and one that is as long as a default buffer, but whose own
-- buffer is larger.
INSERT INTO socket(step, netns, cookie, inode, protocol, family, address, port, queue_bytes, rcvbuf_bytes)
VALUES (1, 'host', 0, 41, 'udp', 4, '0.0.0.0', 514, 106496, 212992), (1, 'host', 0, 42, 'udp', 4, '0.0.0.0', 8125, 212992, 8388608);
