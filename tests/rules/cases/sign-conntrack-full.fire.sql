-- kind   since-boot
-- base   none
-- The kernel's message, and a table at its limit.
INSERT INTO kernel_log(step, kind, peer, port, messages, text)
VALUES (1, 'conntrack-full', '', 0, 12, 'nf_conntrack: table full, dropping packet');
INSERT INTO conntrack(step, netns, count) VALUES (1, 'host', 65536);
INSERT INTO sysctl(step, netns, nf_conntrack_max) VALUES (1, 'host', 65536);
