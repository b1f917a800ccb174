-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       xdp-drop
-- kind       cause
-- explains   xdp
-- severity   info
-- title      An XDP program drops packets of {interface}
-- needs      nic.xdp_drops
-- param      certain = 0.9        the driver counts what the program dropped; whether on purpose, it does not
--            know
-- param      one_look = 0.5       the growth since boot may be old
-- evidence   lost packets {lost} packets dropped, {lost_share} of what arrived
-- do         See which program, and ask whoever loaded it || bpftool net show dev {interface}
-- do         To be sure, take it off for a moment (load it again with the tool it came with) ||
--            ip link set dev {interface} xdp off
-- not        Buffers, rings, rp_filter, firewall: the packets go no further than this program
-- ruled-out  no XDP program dropped a packet in {seconds}
-- ref        net/core/dev.c; the driver's xdp_drop counters
SELECT n.netns, n.interface, xdp_drops AS lost,
       1.0 * xdp_drops / MAX(xdp_drops, COALESCE(rx_packets, 0)) AS lost_share,
       CASE (SELECT kind FROM window) WHEN 'since-boot' THEN :one_look ELSE :certain END AS confidence
FROM nic n LEFT JOIN link USING (netns, interface)
WHERE xdp_drops > 0;
