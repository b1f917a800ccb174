-- kind   since-boot
-- base   none
-- The counters are in the input as well, and nothing was ever lost.
INSERT INTO socket(step, netns, cookie, inode, protocol, family, address, port, queue_bytes, rcvbuf_bytes)
VALUES (1, 'host', 0, 41, 'udp', 4, '0.0.0.0', 514, 212992, 212992);
INSERT INTO snmp(step, netns, udp_in_datagrams, udp_in_errors, udp_rcvbuf_errors) VALUES (1, 'host', 5000000, 0, 0);
