-- A peer of the overlay is gone.
INSERT INTO link(step, netns, interface, ifindex, operstate, kind, mtu_bytes, rx_packets, tx_packets,
    rx_dropped, tx_dropped, rx_missed_errors)
SELECT step, 'host', 'flannel.1', 9, 'unknown', 'vxlan', 1450, 900, 1000, 0, 51, 0 FROM step;
