-- kind since-boot
-- softnet_stat is missing: the veth device and the senders' counters tell the same, since boot.
DELETE FROM softnet;
INSERT INTO outcome(table_name, state, reason) VALUES ('softnet', 'denied', 'not part of this capture');
INSERT INTO link(step, netns, interface, ifindex, operstate, kind, mtu_bytes, rx_packets, tx_packets,
    rx_dropped, tx_dropped, rx_missed_errors)
SELECT step, 'host', 'veth7', 7, 'up', 'veth', 1500, 10, 2000, 0, 3000, 0 FROM step;
UPDATE snmp SET udp_sndbuf_errors = 3000, ip_out_discards = 3000 WHERE netns = 'host';
