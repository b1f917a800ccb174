-- The hook is there and drops nothing; the queue at the root does.
INSERT INTO qdisc(step, netns, interface, handle, parent, kind, leaf, bytes, packets, drops, overlimits,
    requeues, backlog_bytes, qlen)
SELECT step, 'host', 'eth0', 'ffff:', 'ffff:fff1', 'clsact', 1, 4500000, 22500, 0, 0, 0, 0, 0 FROM step;
UPDATE qdisc SET drops = 30 WHERE kind = 'fq_codel';
