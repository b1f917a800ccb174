-- kind since-boot
-- base none
-- A few drops of a dial-up device since boot, which ip -s link does not show.
INSERT INTO link(step, netns, interface, kind, tx_queue_length, tx_packets, tx_dropped) VALUES (1, 'host',
    'pppoe0', '', 3, 1620173, 0);
INSERT INTO qdisc(step, netns, interface, handle, parent, kind, leaf, bytes, packets, drops, overlimits,
    requeues, backlog_bytes, qlen)
VALUES (1, 'host', 'pppoe0', '0:', 'root', 'pfifo_fast', 1, 534625359, 1626761, 62, 0, 0, 0, 0);
