-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       qdisc-overflow
-- kind       cause
-- explains   qdisc
-- severity   warning
-- title      The send queue of {adapter} overflows ({kind})
-- needs      qdisc.drops
-- param      certain = 0.85
-- param      one_look = 0.5       the growth since boot may be old
-- param      small = 0.001        share of what passed below which it is only worth knowing
-- param      noise = 0.00001      share of what passed that may have been dropped since boot without a word
-- param      first = 1000         packets: a queue to begin with
-- evidence   drops packets {drops} packets of {packets} dropped by {kind} {handle} ({drop_share}), not shown
--            by ip -s link
-- evidence   told datagrams {told} of them the senders were told of (SndbufErrors), counted here only
-- evidence   overlimits events packets had to wait for its rate limit {overlimits} times
-- evidence   tx_queue_length packets it holds {tx_queue_length} packets (txqueuelen)
-- against    overall flag packets of all protocols are among them; TCP sends its own again
-- do         See its limits and what is queued || tc -s qdisc show dev {device}
-- do         Let it hold {new_length} packets (their memory, and more delay when it is full) ||
--            ip link set dev {device} txqueuelen {new_length} ||
--            ip link set dev {device} txqueuelen {tx_queue_length}
-- do         Let it hold {fifo_length} packets, if it holds fewer now (OLD) ||
--            tc qdisc change dev {device} parent {parent} handle {handle} pfifo limit {fifo_length} ||
--            tc qdisc change dev {device} parent {parent} handle {handle} pfifo limit OLD
-- do         Its rate limit is the brake ({overlimits} waits): raise it, or send less ||
--            tc qdisc show dev {device}
-- do         Pace the sender: many small bursts fit where one large does not (fq qdisc, SO_MAX_PACING_RATE)
-- not        Receive side and rings: this loss is on the way out, before the adapter
-- ruled-out  no queueing discipline dropped a packet in {seconds}
-- ref        net/sched; kernel counts these in the qdisc only, and in SndbufErrors where the sender is told
WITH leaves AS (
    SELECT netns, interface, kind, handle, parent, SUM(drops) AS drops, SUM(packets) AS packets,
           SUM(overlimits) AS overlimits,
           SUM(SUM(drops)) OVER (PARTITION BY netns) AS all_drops
    FROM qdisc WHERE leaf AND kind NOT IN ('ingress', 'clsact') GROUP BY netns, interface)
SELECT q.netns, NULLIF(q.interface, '') AS interface, COALESCE(NULLIF(q.interface, ''), 'an interface') AS adapter,
       COALESCE(NULLIF(q.interface, ''), 'INTERFACE') AS device, q.kind, q.handle, drops, packets, 1.0 * drops / (packets + drops) AS drop_share,
       ROUND(1.0 * datagrams * drops / all_drops) AS lost,
       CASE WHEN w.kind = 'since-boot' THEN :one_look ELSE :certain END AS confidence,
       CASE WHEN drops < :small * (packets + drops) THEN 'info' END AS severity,
       CASE WHEN told > 0 THEN MIN(CAST(told AS INTEGER), drops) END AS told, NULLIF(overlimits, 0) AS overlimits,
       CASE WHEN q.kind = 'pfifo_fast' THEN tx_queue_length END AS tx_queue_length,
       CASE WHEN q.kind = 'pfifo_fast' THEN MAX(:first, 2 * tx_queue_length) END AS new_length,
       -- a pfifo took txqueuelen when it was made, if it was given no limit, and takes no more notice of it
       CASE WHEN q.kind = 'pfifo' AND handle <> '0:' THEN MAX(:first, 2 * tx_queue_length) END AS fifo_length,
       parent, CASE
           WHEN told < drops THEN 1 END AS overall
FROM leaves q JOIN ledger g ON g.netns = q.netns AND g.locus = 'qdisc'
LEFT JOIN (SELECT netns, TOTAL(udp_sndbuf_errors) + TOTAL(udp6_sndbuf_errors) AS told FROM snmp
    GROUP BY netns) USING (netns)
LEFT JOIN (SELECT netns, interface, tx_queue_length FROM link) l ON l.netns = q.netns AND l.interface = q.interface,
    window w
WHERE drops > CASE WHEN w.kind = 'since-boot' THEN :noise * packets ELSE 0 END;
