-- kind since-boot
-- A filter at the ingress hook dropped since boot.
INSERT INTO qdisc(step, netns, interface, handle, parent, kind, leaf, bytes, packets, drops, overlimits,
    requeues, backlog_bytes, qlen)
SELECT step, 'host', 'eth0', 'ffff:', 'ffff:fff1', 'clsact', 1, 4500000, 22500, 700, 0, 0, 0, 0 FROM step;
