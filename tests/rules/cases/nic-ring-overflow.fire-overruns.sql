-- base none
-- Two looks at ifconfig: overruns grow, and dropped packets are not split.
INSERT INTO link(step, netns, interface, kind, rx_packets, tx_packets, rx_errors, rx_dropped_unsplit, rx_fifo_errors, tx_dropped)
SELECT step, 'host', 'eth0', '', 1000000, 100000, 0, 0, 90000, 0 FROM step WHERE step = 1;
