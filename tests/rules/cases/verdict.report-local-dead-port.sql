-- kind since-boot
-- base none
-- A daemon of this host is gone, its clients are here; and a buffer overflows.
INSERT INTO snmp(step, netns, icmp_in_dest_unreachs, icmp_out_dest_unreachs, udp_in_datagrams, udp_no_ports,
    udp_in_errors, udp_out_datagrams, udp_rcvbuf_errors,
        udp_sndbuf_errors, udp_in_csum_errors, ip_ext_in_no_routes, ip_ext_in_mcast_pkts)
VALUES (1, 'host', 77155204, 76606062, 1393930905, 76606038, 37785175, 1518092459, 37785175, 0, 0, 57, 323791);
