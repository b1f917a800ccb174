-- kind since-boot
-- base none
-- netstat of a host whose one reader takes half of what comes.
INSERT INTO snmp(step, netns, udp_in_datagrams, udp_no_ports, udp_in_errors, udp_out_datagrams,
    udp_rcvbuf_errors, udp_sndbuf_errors, udp_in_csum_errors, udp_mem_errors, udp_ignored_multi)
VALUES (1, 'host', 4487413018, 8315, 4238702717, 3000000000, 4238702717, 0, 0, 0, 6);
