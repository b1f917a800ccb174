-- A shaper with a queue of a fixed number of packets below it, which takes no notice of txqueuelen.
UPDATE qdisc SET handle = '1:', kind = 'tbf', leaf = 0, drops = 40, overlimits = 600;
INSERT INTO qdisc(step, netns, interface, handle, parent, kind, leaf, bytes, packets, drops, overlimits,
    requeues, backlog_bytes, qlen)
SELECT step, 'host', 'eth0', '10:', '1:1', 'pfifo', 1, 3200000, 17500, 40, 0, 0, 0, 0 FROM step;
UPDATE snmp SET udp_sndbuf_errors = 40, ip_out_discards = 40 WHERE netns = 'host';
