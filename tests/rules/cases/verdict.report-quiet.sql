-- kind since-boot
-- base none
-- A host at rest.
INSERT INTO snmp(step, netns, udp_in_datagrams, udp_no_ports, udp_in_errors, udp_out_datagrams,
    udp_rcvbuf_errors, udp_sndbuf_errors, udp_in_csum_errors, udp_ignored_multi)
VALUES (1, 'host', 1785, 2, 0, 1870, 0, 0, 0, 316);
