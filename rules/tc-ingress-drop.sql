-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       tc-ingress-drop
-- kind       cause
-- explains   tc-ingress
-- severity   info
-- title      A tc filter on {interface} drops packets
-- needs      qdisc.drops
-- param      certain = 0.9        the filter dropped them; whether on purpose, it does not know
-- param      one_look = 0.5       the growth since boot may be old
-- evidence   lost packets {lost} packets dropped by a filter of {kind}
-- do         See which filter counts them || tc -s filter show dev {interface} ingress
-- do         Take a wrong one away (add it again with the tool it came with) ||
--            tc filter del dev {interface} ingress pref PREF
-- not        Buffers, rings, firewall rules: the packets go no further than this filter
-- ruled-out  no tc filter dropped a packet in {seconds}
-- ref        net/core/dev.c sch_handle_ingress(); qstats.drops of clsact and ingress
SELECT netns, interface, kind, SUM(drops) AS lost,
       CASE (SELECT kind FROM window) WHEN 'since-boot' THEN :one_look ELSE :certain END AS confidence
FROM qdisc
WHERE kind IN ('ingress', 'clsact') AND drops > 0
GROUP BY netns, interface;
