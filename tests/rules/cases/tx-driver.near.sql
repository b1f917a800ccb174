-- A veth device: the backlog behind it, not a driver.
INSERT INTO link(step, netns, interface, ifindex, operstate, kind, mtu_bytes, rx_packets, tx_packets,
    rx_dropped, tx_dropped, rx_missed_errors)
SELECT step, 'host', 'veth7', 7, 'up', 'veth', 1500, 10, 2000, 0, 30, 0 FROM step;
UPDATE softnet SET dropped = 30 WHERE cpu = 0;
