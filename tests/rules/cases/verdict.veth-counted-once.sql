-- A tiny backlog limit between two ends of a veth pair: five counters, one loss.
UPDATE sysctl SET netdev_max_backlog = 10;
CREATE TEMP TABLE other AS SELECT * FROM snmp;
UPDATE other SET netns = 'sender', netns_inode = 4026532200, netns_pid = 4711, udp_in_datagrams = 0,
    udp_out_datagrams = 9000, udp_sndbuf_errors = 5315, ip_out_requests = 15000, ip_out_discards = 5315;
INSERT INTO snmp SELECT * FROM other;
INSERT INTO link(step, netns, interface, ifindex, operstate, kind, mtu_bytes, rx_packets, tx_packets,
    rx_dropped, tx_dropped, rx_missed_errors)
SELECT step, 'host', 'veth7', 7, 'up', 'veth', 1500, 9000, 10, 5315, 0, 0 FROM step;
UPDATE softnet SET dropped = 5315 WHERE cpu = 3;
