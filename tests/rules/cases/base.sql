-- SPDX-License-Identifier: GPL-2.0-or-later
-- The healthy, busy host on which the cases build: 4 CPUs, 20,000 datagrams a second from outside over one
-- adapter, one disk.
-- Every table has its rows in every step; a counter that stands still is 0, not NULL.

INSERT INTO snmp(step, netns, netns_inode, netns_pid, udp_in_datagrams, udp_no_ports, udp_in_errors,
    udp_out_datagrams,
    udp_rcvbuf_errors, udp_sndbuf_errors, udp_in_csum_errors, udp_ignored_multi, udp_mem_errors,
    udplite_in_datagrams, udplite_no_ports, udplite_in_errors, udplite_out_datagrams, udplite_rcvbuf_errors,
    udplite_sndbuf_errors, udplite_in_csum_errors, udplite_ignored_multi, udplite_mem_errors, ip_in_receives,
    ip_in_hdr_errors, ip_in_addr_errors, ip_forw_datagrams, ip_in_unknown_protos, ip_in_discards,
    ip_in_delivers, ip_out_requests, ip_out_discards, ip_out_no_routes, ip_reasm_timeout, ip_reasm_reqds,
    ip_reasm_oks, ip_reasm_fails, ip_frag_oks, ip_frag_fails, ip_frag_creates, ip_out_transmits,
    icmp_in_dest_unreachs, icmp_out_dest_unreachs, icmp_out_time_excds, ip_ext_in_no_routes,
    ip_ext_in_truncated_pkts, ip_ext_in_mcast_pkts, ip_ext_out_mcast_pkts, ip_ext_in_bcast_pkts,
    ip_ext_out_bcast_pkts, ip_ext_in_octets, ip_ext_out_octets, ip_ext_in_mcast_octets,
    ip_ext_out_mcast_octets, ip_ext_in_bcast_octets, ip_ext_out_bcast_octets, ip_ext_in_csum_errors,
    ip_ext_in_no_ect_pkts, ip_ext_in_ect1_pkts, ip_ext_in_ect0_pkts, ip_ext_in_ce_pkts, ip_ext_reasm_overlaps,
    tcp_ext_ip_reverse_path_filter, tcp_ext_pf_memalloc_drop, tcp_ext_busy_poll_rx_packets, udp6_in_datagrams,
    udp6_no_ports, udp6_in_errors, udp6_out_datagrams, udp6_rcvbuf_errors, udp6_sndbuf_errors,
    udp6_in_csum_errors, udp6_ignored_multi, udp6_mem_errors, udplite6_in_datagrams, udplite6_no_ports,
    udplite6_in_errors, udplite6_out_datagrams, udplite6_rcvbuf_errors, udplite6_sndbuf_errors,
    udplite6_in_csum_errors, udplite6_mem_errors, ip6_in_receives, ip6_in_hdr_errors, ip6_in_too_big_errors,
    ip6_in_no_routes, ip6_in_addr_errors, ip6_in_unknown_protos, ip6_in_truncated_pkts, ip6_in_discards,
    ip6_in_delivers, ip6_out_forw_datagrams, ip6_out_requests, ip6_out_discards, ip6_out_no_routes,
    ip6_reasm_timeout, ip6_reasm_reqds, ip6_reasm_oks, ip6_reasm_fails, ip6_frag_oks, ip6_frag_fails,
    ip6_frag_creates, ip6_in_mcast_pkts, ip6_out_mcast_pkts, ip6_in_octets, ip6_out_octets,
    ip6_in_mcast_octets, ip6_out_mcast_octets, ip6_in_bcast_octets, ip6_out_bcast_octets, ip6_in_no_ect_pkts,
    ip6_in_ect1_pkts, ip6_in_ect0_pkts, ip6_in_ce_pkts, ip6_out_transmits, icmp6_in_dest_unreachs,
    icmp6_in_pkt_too_bigs, icmp6_out_dest_unreachs, icmp6_out_time_excds)
SELECT step, 'host', 4026531840, 1, 20000, 0, 0, 15000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 22000, 0, 0,
       0, 0, 0, 22000, 17000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 17000, 0, 0, 0, 0, 0, 10, 10, 0, 0, 4400000, 3000000,
       0, 0, 0, 0, 0, 22000, 0, 0, 0, 0, 0, 0, 0, 500, 0, 0, 400, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 600,
       0, 0, 0, 0, 0, 0, 0, 600, 0, 500, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100000, 90000, 0, 0, 0, 0, 600, 0,
       0, 0, 500, 0, 0, 0, 0
FROM step;

INSERT INTO sockstat(step, netns, udp_inuse, udp_mem_pages, udplite_inuse, frag_inuse, frag_memory_bytes,
    udp6_inuse,
    udplite6_inuse, frag6_inuse, frag6_memory_bytes)
SELECT step, 'host', 12, 300, 0, 0, 0, 8, 0, 0, 0
FROM step;

INSERT INTO sysctl(step, netns, rmem_default_bytes, rmem_max_bytes, wmem_default_bytes, wmem_max_bytes,
    netdev_max_backlog,
    netdev_budget, netdev_budget_usecs, dev_weight, flow_limit_cpu_bitmap, flow_limit_table_len,
    udp_mem_min_pages, udp_mem_pressure_pages, udp_mem_max_pages, nf_conntrack_max, nf_conntrack_buckets,
    task_delayacct, udp_rmem_min_bytes, ipfrag_high_thresh_bytes, ipfrag_low_thresh_bytes, ipfrag_time_s,
    ipfrag_max_dist, ip6frag_high_thresh_bytes, ip6frag_low_thresh_bytes, ip6frag_time_s,
    nf_conntrack_frag6_high_thresh_bytes, nf_conntrack_frag6_low_thresh_bytes, nf_conntrack_frag6_timeout_s,
    rp_filter_all, rp_filter_default, log_martians_all, igmp_force_version, ip_forward)
SELECT step, 'host', 212992, 212992, 212992, 212992, 1000, 300, 8000, 64, '0', 4096, 94000, 125000, 188000,
       262144, 65536, 0, 4096, 4194304, 3145728, 30, 64, 4194304, 3145728, 60, NULL, NULL, NULL, 0, 0, 0, 0, 0
FROM step;

INSERT INTO conntrack(step, netns, netns_inode, count, found, invalid, "insert", insert_failed, "drop",
    early_drop, icmp_error)
SELECT step, 'host', 4026531840, 18000, 22000, 0, 300, 0, 0, 0, 0
FROM step;

INSERT INTO link(step, netns, interface, ifindex, operstate, kind, master_ifindex, mtu_bytes, tx_queue_length,
    xdp_attached,
    rp_filter, rx_packets, tx_packets, rx_bytes, tx_bytes, rx_errors, tx_errors, rx_dropped, tx_dropped,
    multicast, collisions, rx_length_errors, rx_over_errors, rx_crc_errors, rx_frame_errors, rx_fifo_errors,
    rx_missed_errors, tx_aborted_errors, tx_carrier_errors, tx_fifo_errors, tx_heartbeat_errors,
    tx_window_errors, rx_compressed, tx_compressed, rx_nohandler, rx_otherhost_dropped)
SELECT step, 'host', 'eth0', 2, 'up', '', 0, 1500, 1000, 0, 0, 22500, 17500, 4700000, 3200000, 0, 0, 0, 0, 10,
       0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
FROM step;
INSERT INTO link(step, netns, interface, ifindex, operstate, kind, master_ifindex, mtu_bytes, tx_queue_length,
    xdp_attached,
    rp_filter, rx_packets, tx_packets, rx_bytes, tx_bytes, rx_errors, tx_errors, rx_dropped, tx_dropped,
    multicast, collisions, rx_length_errors, rx_over_errors, rx_crc_errors, rx_frame_errors, rx_fifo_errors,
    rx_missed_errors, tx_aborted_errors, tx_carrier_errors, tx_fifo_errors, tx_heartbeat_errors,
    tx_window_errors, rx_compressed, tx_compressed, rx_nohandler, rx_otherhost_dropped)
SELECT step, 'host', 'lo', 1, 'unknown', '', 0, 65536, 1000, 0, 0, 100, 100, 10000, 10000, 0, 0, 0, 0, 0, 0,
       0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
FROM step;

INSERT INTO qdisc(step, netns, interface, handle, parent, kind, leaf, bytes, packets, drops, overlimits,
    requeues,
    backlog_bytes, qlen)
SELECT step, 'host', 'eth0', '0:', 'root', 'fq_codel', 1, 3200000, 17500, 0, 0, 0, 0, 0
FROM step;

INSERT INTO nic(step, netns, interface, driver, rx_ring, rx_ring_max, tx_ring, tx_ring_max, channels,
    channels_max,
    ring_drops, driver_drops, alloc_fails, phy_drops, bad_frames, steer_misses, xdp_drops,
    provider_limit_drops, tx_drops)
SELECT step, 'host', 'eth0', 'ixgbe', 512, 4096, 512, 4096, 4, 63, 0, 0, 0, 0, 0, 0, 0, 0, 0
FROM step;

INSERT INTO softnet(step, cpu, processed, dropped, time_squeeze, cpu_collision, received_rps, flow_limit_count,
    backlog_length,
    input_queue_length, process_queue_length)
SELECT step, cpu, 5650, 0, 0, 0, 0, 0, 0, 0, 0
FROM step, (SELECT 0 AS cpu UNION ALL VALUES (1), (2), (3));

INSERT INTO cpu(step, cpu, user, nice, system, idle, iowait, irq, softirq, steal, guest, guest_nice)
SELECT step, cpu, 20, 0, 10, 63, 0, 0, 7, 0, 0, 0
FROM step, (SELECT 0 AS cpu UNION ALL VALUES (1), (2), (3));

INSERT INTO pressure(step, resource, some_total_us, full_total_us)
SELECT step, column1, column2, column3
FROM step, (VALUES ('cpu', 20000, 0), ('memory', 0, 0), ('io', 1000, 500));

INSERT INTO memory(step, scope, total_bytes, available_bytes, free_bytes, swap_total_bytes, swap_free_bytes,
    pswpin, pswpout,
    pgmajfault, allocstall, oom_kill)
SELECT step, 'host', 8589934592, 4294967296, 1073741824, 2147483648, 2147483648, 0, 0, 0, 0, 0
FROM step;

INSERT INTO disk(step, device, reads_completed, reads_merged, sectors_read, time_reading_ms, writes_completed,
    writes_merged,
    sectors_written, time_writing_ms, io_in_progress, time_io_ms, weighted_time_io_ms, flush_requests,
    time_flushing_ms)
SELECT step, 'vda', 2, 0, 64, 3, 20, 5, 2048, 30, 0, 20, 40, 1, 1
FROM step;

INSERT INTO mount(step, mount, device, disk, fstype, size_bytes, used_bytes, available_bytes, inodes,
    inodes_used, read_only)
SELECT step, '/', '/dev/vda1', 'vda', 'ext4', 107374182400, 42949672960, 58982400000, 6553600, 400000, 0
FROM step;
