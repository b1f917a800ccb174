-- kind since-boot
-- base none
-- A syslog server on a kernel without MemErrors.
INSERT INTO snmp(step, netns, udp_in_datagrams, udp_no_ports, udp_in_errors, udp_out_datagrams,
    udp_rcvbuf_errors, udp_sndbuf_errors, udp_in_csum_errors, udp_ignored_multi)
VALUES (1, 'host', 653000000, 21890889, 145418581, 300000, 143350293, 0, 0, 0);
