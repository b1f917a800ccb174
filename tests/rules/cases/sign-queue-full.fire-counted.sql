-- kind   since-boot
-- base   none
-- The host counts losses at queues, one queue is full, and ss is too old to tell what its socket dropped.
INSERT INTO socket(step, netns, cookie, inode, protocol, family, address, port, queue_bytes, rcvbuf_bytes)
VALUES (1, 'host', 0, 41, 'udp', 4, '0.0.0.0', 8125, 212992, 212992);
INSERT INTO snmp(step, netns, udp_in_datagrams, udp_in_errors, udp_rcvbuf_errors) VALUES (1, 'host', 3457899, 1194887, 1194887);
