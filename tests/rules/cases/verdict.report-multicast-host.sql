-- kind since-boot
-- base none
-- A healthy host on a segment full of foreign multicast.
INSERT INTO snmp(step, netns, ip_in_receives, ip_forw_datagrams, ip_in_discards, ip_in_delivers,
    ip_out_requests, ip_out_discards, ip_out_no_routes, ip_reasm_reqds,
        ip_reasm_oks, ip_reasm_fails, ip_reasm_timeout, icmp_in_dest_unreachs, icmp_out_dest_unreachs,
            udp_in_datagrams, udp_no_ports, udp_in_errors, udp_out_datagrams,
        udp_rcvbuf_errors, udp_sndbuf_errors, udp_in_csum_errors, udp_ignored_multi,
            tcp_ext_ip_reverse_path_filter, ip_ext_in_no_routes, ip_ext_in_mcast_pkts, ip_ext_in_octets)
VALUES (1, 'host', 42949247, 0, 0, 40345726, 18593212, 14, 222, 10, 2, 0, 0, 353, 378, 20182751, 98, 0, 5023, 0,
    0, 0, 0, 3, 83, 20397762, 8824122336);
INSERT INTO link(step, netns, interface, kind, rx_packets, tx_packets, rx_errors, rx_dropped, rx_fifo_errors,
    tx_errors, tx_dropped)
VALUES (1, 'host', 'eth0', '', 59984611, 13696757, 0, 5, 0, 0, 0),
    (1, 'host', 'lo', '', 4912555, 4912555, 0, 0, 0, 0, 0);
