-- The same with a tunnel in use: its offload is suspected.
UPDATE snmp SET udp_in_csum_errors = 20, udp_in_errors = 20 WHERE netns = 'host';
INSERT INTO link(step, netns, interface, ifindex, operstate, kind, mtu_bytes, rx_packets, tx_packets,
    rx_dropped, tx_dropped, rx_missed_errors)
SELECT step, 'host', 'flannel.1', 9, 'unknown', 'vxlan', 1450, 4000, 4000, 0, 0, 0 FROM step;
