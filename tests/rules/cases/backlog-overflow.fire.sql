-- Bursts over a veth pair overflow the backlog of two CPUs; the sender in the namespace sees the same loss.
CREATE TEMP TABLE other AS SELECT * FROM snmp;
UPDATE other SET netns = 'web', netns_inode = 4026532200, netns_pid = 4711, udp_in_datagrams = 0,
    udp_out_datagrams = 2000;
INSERT INTO snmp SELECT * FROM other;
INSERT INTO link(step, netns, interface, ifindex, operstate, kind, mtu_bytes, rx_packets, tx_packets,
    rx_dropped, tx_dropped, rx_missed_errors)
SELECT step, 'host', 'veth7', 7, 'up', 'veth', 1500, 2000, 10, 0, 0, 0 FROM step;
UPDATE softnet SET dropped = 1137 WHERE cpu = 0 AND step = 20;
UPDATE softnet SET dropped = 773 WHERE cpu = 1 AND step = 40;
UPDATE snmp SET udp_sndbuf_errors = 1137, ip_out_discards = 1137 WHERE netns = 'web' AND step = 20;
UPDATE snmp SET udp_sndbuf_errors = 773, ip_out_discards = 773 WHERE netns = 'web' AND step = 40;
UPDATE link SET rx_dropped = 1137 WHERE interface = 'veth7' AND step = 20;
UPDATE link SET rx_dropped = 773 WHERE interface = 'veth7' AND step = 40;
