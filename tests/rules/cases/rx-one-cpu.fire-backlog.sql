-- RPS sends all packets to one CPU, which does nothing else any more; a fifth of them do not fit into its backlog.
INSERT INTO link(step, netns, interface, ifindex, operstate, kind, mtu_bytes, rx_packets, tx_packets,
    rx_dropped, tx_dropped, rx_missed_errors)
SELECT step, 'host', 'veth7', 7, 'up', 'veth', 1500, 80000, 10, 0, 0, 0 FROM step;
UPDATE softnet SET processed = 80000 WHERE cpu = 1;
DELETE FROM softnet WHERE cpu <> 1; -- nothing to do, no row
UPDATE softnet SET dropped = 20000, time_squeeze = 90 WHERE cpu = 1 AND step % 10 = 0;
UPDATE link SET rx_dropped = 20000 WHERE interface = 'veth7' AND step % 10 = 0;
UPDATE cpu SET softirq = 97, user = 1, system = 1, idle = 1 WHERE cpu = 1;
