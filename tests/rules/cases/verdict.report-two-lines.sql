-- kind since-boot
-- base none
-- Two grepped lines, no totals.
INSERT INTO snmp(step, netns, udp_rcvbuf_errors, udp_sndbuf_errors) VALUES (1, 'host', 429469, 23568);
