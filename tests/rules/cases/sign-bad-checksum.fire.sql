-- kind   since-boot
-- base   none
-- Messages about the port of a tunnel, and no counters.
INSERT INTO kernel_log(step, kind, peer, port, messages, text)
VALUES (1, 'udp-bad-checksum', '192.0.2.99', 8472, 4, 'UDP: bad checksum. From 192.0.2.99:46133 to 198.51.100.252:8472 ulen 75');
