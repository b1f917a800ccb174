-- kind   since-boot
-- base   none
-- One listing of sockets, without memory and counters: what waits is what the default buffer holds.
INSERT INTO socket(step, netns, cookie, inode, protocol, family, address, port, queue_bytes)
VALUES (1, 'host', 0, 41, 'udp', 4, '0.0.0.0', 514, 214272), (1, 'host', 0, 42, 'udp', 6, '::', 514, 0);
INSERT INTO owner(step, inode, pid) VALUES (1, 41, 812), (1, 42, 812);
INSERT INTO process(step, pid, comm) VALUES (1, 812, 'rsyslogd');
