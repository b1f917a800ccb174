-- kind since-boot
-- base none
-- A local sender overruns a reader: sent equals received and lost.
INSERT INTO snmp(step, netns, icmp_in_dest_unreachs, icmp_out_dest_unreachs, udp_in_datagrams, udp_no_ports,
    udp_in_errors, udp_out_datagrams, udp_rcvbuf_errors,
        udp_sndbuf_errors, udp_in_csum_errors, udp_ignored_multi, ip_ext_in_octets, ip_ext_in_no_ect_pkts)
VALUES (1, 'host', 123, 123, 738329, 123, 778151, 1516606, 778151, 0, 0, 189, 52080979, 1523125);
INSERT INTO sysctl(step, netns, rmem_default_bytes, wmem_default_bytes, wmem_max_bytes,
    netdev_max_backlog) VALUES (1, 'host', 56214400, 26214400, 56214400, 2000);
