-- A second interface in strict mode gets what would be answered by the first.
INSERT INTO link(step, netns, interface, ifindex, operstate, kind, mtu_bytes, rp_filter, rx_packets, tx_packets,
    rx_dropped, tx_dropped, rx_missed_errors)
SELECT step, 'host', 'eth1', 3, 'up', '', 1500, 1, 500, 0, 0, 0, 0 FROM step;
UPDATE snmp SET tcp_ext_ip_reverse_path_filter = 400 WHERE netns = 'host' AND step > 20;
