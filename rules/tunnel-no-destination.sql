-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       tunnel-no-destination
-- kind       cause
-- explains   neighbour
-- severity   warning
-- title      The tunnel {interface} drops what it has no destination for
-- needs      link.tx_dropped
-- param      certain = 0.65       a tunnel also drops what is too big, or while its device below is down
-- param      one_look = 0.5       the growth since boot may be old
-- param      few = 20             packets: its own multicast chatter; the ledger takes the same
-- param      share = 0.01         of what it sent
-- evidence   lost packets {lost} packets dropped by {interface} ({kind}) before they were wrapped, {drop_rate}
--            on average
-- evidence   tx_packets packets {tx_packets} packets were sent through it
-- do         See which peers it knows: an entry per address behind it || bridge fdb show dev {interface}
-- do         See which neighbours are missing || ip -s neigh show dev {interface}
-- do         Ask what manages the tunnel (its agent or controller) why the peer is missing; add one by hand ||
--            bridge fdb append MAC dev {interface} dst PEER || bridge fdb del MAC dev {interface} dst PEER
-- not        Adapter and its ring, socket buffers: senders see success, and the packets never reached the
--            adapter
-- ruled-out  no tunnel dropped what it had no destination for in {seconds}
-- ref        drivers/net/vxlan: no forwarding entry counts tx_dropped; OutDatagrams counts the datagram as sent
SELECT netns, interface, l.kind, tx_dropped AS lost, tx_packets, CASE WHEN w.kind <> 'since-boot'
       THEN tx_dropped / seconds END AS drop_rate,
       CASE WHEN w.kind = 'since-boot' THEN :one_look ELSE :certain END AS confidence
FROM link l, window w
WHERE l.kind IN ('vxlan', 'geneve', 'gre', 'gretap', 'ip6gre', 'ip6gretap', 'erspan', 'ipip', 'sit', 'ip6tnl',
    'wireguard', 'bareudp', 'gtp')
    AND tx_dropped >= MAX(:few, MIN(:share * COALESCE(tx_packets, 0),
        COALESCE(NULLIF(w.seconds, 0), :share * tx_packets, 0)));
