-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       peer-backlog
-- kind       cause
-- explains   send-buffer
-- after      backlog-overflow
-- severity   warning
-- title      The other end of {interface} does not take datagrams fast enough
-- needs      snmp.udp_sndbuf_errors link.tx_dropped
-- param      certain = 0.7        the backlog itself is not seen (softnet_stat is missing here)
-- param      one_look = 0.4       the growth since boot may be old
-- param      alike = 0.8          share of the drops of the veth device that senders must have been told of
-- evidence   lost datagrams {lost} datagrams: SndbufErrors of the sender and tx_dropped of {interface}
--            ({tx_dropped}) are one loss
-- do         Look at the backlog: column 2 (hexadecimal) grows || cat /proc/net/softnet_stat
-- do         If it does, let it hold more || sysctl -w net.core.netdev_max_backlog={new_limit} ||
--            sysctl -w net.core.netdev_max_backlog={limit}
-- not        A bigger send buffer: the sender only fills the other end faster
-- ruled-out  no sender was told of drops behind a veth pair
-- ref        drivers/net/veth.c: a full backlog at the other end is tx_dropped here and SndbufErrors at the
--            sender
WITH veth AS (
    SELECT netns, interface, MAX(tx_dropped) AS tx_dropped, SUM(tx_dropped) AS dropped FROM link WHERE kind = 'veth'
           GROUP BY netns)
SELECT netns, interface, MIN(dropped, datagrams) AS lost, tx_dropped,
       CASE WHEN kind = 'since-boot' THEN :one_look ELSE :certain END AS confidence, "limit",
       MAX(2000, 2 * "limit") AS new_limit
FROM ledger JOIN veth USING (netns) LEFT JOIN (SELECT netdev_max_backlog AS "limit" FROM sysctl
    WHERE netns = 'host'), window
WHERE locus = 'send-buffer' AND NOT EXISTS (SELECT 1 FROM softnet) AND dropped > 0
    AND datagrams >= :alike * dropped;
