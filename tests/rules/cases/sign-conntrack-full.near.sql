-- kind   since-boot
-- base   none
-- Another message.
INSERT INTO kernel_log(step, kind, peer, port, messages, text) VALUES (1, 'udp-short', '192.0.2.1', 53, 2, 'UDP: short packet');
