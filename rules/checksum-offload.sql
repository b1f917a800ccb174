-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       checksum-offload
-- kind       cause
-- explains   checksum
-- severity   warning
-- title      Datagrams arrive with a bad checksum, and tunnels are in use: their offload is suspected
-- needs      snmp.udp_in_csum_errors|snmp.udp6_in_csum_errors link.kind
-- param      certain = 0.7        that the damaged datagrams come through the tunnel is not seen
-- param      one_look = 0.5       the growth since boot may be old
-- param      noise = 0.00001      share of the arrivals that may have been damaged since boot without a word
-- param      tunnelled = 0.01     share of the packets that come through a tunnel
-- evidence   lost datagrams {lost} datagrams with a bad checksum, {lost_share} of what arrived
-- evidence   tunnel_packets packets {tunnel_packets} packets came through {tunnels}
-- do         See whether they are the tunnel's (ports: vxlan 4789 or 8472, geneve 6081), and of which peer ||
--            dmesg | grep "UDP: bad checksum" | tail
-- do         On the sending side, let the CPU fill in the checksums of the tunnel ||
--            ethtool -K {tunnel} tx-checksum-ip-generic off || ethtool -K {tunnel} tx-checksum-ip-generic on
-- do         Cure: a kernel and tunnel software there with the offload mended
-- not        Cables and switches: a damaged frame is dropped by its own checksum before UDP sees it
-- ruled-out  no bad checksums worth naming came through tunnels
-- ref        drivers/net/vxlan, net/netfilter: translated tunnel packets with a partial checksum
WITH tunnels AS (
    SELECT netns, SUM(rx_packets) AS packets, interface AS one, MAX(rx_packets),
           GROUP_CONCAT(interface, ', ') AS names
    FROM link
    WHERE rx_packets > 0
        AND kind IN ('vxlan', 'geneve', 'gre', 'gretap', 'ip6gre', 'ip6gretap', 'erspan', 'ipip', 'sit', 'ip6tnl',
            'bareudp', 'gtp')
    GROUP BY netns),
counted AS (
    SELECT netns, TOTAL(ip_in_receives) + TOTAL(ip6_in_receives) AS received,
           TOTAL(udp_in_datagrams) + TOTAL(udp6_in_datagrams)
               + TOTAL(udp_in_errors) + TOTAL(udp6_in_errors) AS arrived
    FROM snmp GROUP BY netns)
SELECT netns, datagrams AS lost, datagrams / arrived AS lost_share, packets AS tunnel_packets, names AS tunnels,
       one AS tunnel,
       CASE WHEN kind = 'since-boot' THEN :one_look ELSE :certain END AS confidence
FROM ledger JOIN counted USING (netns) JOIN tunnels USING (netns), window
WHERE locus = 'checksum' AND packets >= :tunnelled * received
    AND datagrams > CASE WHEN kind = 'since-boot' THEN :noise * arrived ELSE 0 END;
