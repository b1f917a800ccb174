-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       ip-wrong-address
-- kind       cause
-- explains   ip-input
-- severity   warning
-- title      Packets arrive for addresses this host does not have{place}
-- needs      snmp.ip_in_addr_errors|snmp.ip6_in_addr_errors
-- param      certain = 0.6        packets of all protocols are counted
-- param      one_look = 0.4       the growth since boot may be old
-- param      few = 20             packets: fewer are strays
-- param      share = 0.01         of all packets, from which it is worth naming; the ledger takes the same
-- param      unknown = 1000    packets from which it is worth naming where nobody knows of how many
-- param      rate = 50            packets a second that are worth naming whatever their share
-- evidence   ipv4 packets {ipv4} IPv4 packets, {ipv4_share} of all that arrived (IpInAddrErrors)
-- evidence   ipv6 packets {ipv6} IPv6 packets, {ipv6_share} of all that arrived (Ip6InAddrErrors)
-- do         See for which || {enter}tcpdump -ni any -c 100 inbound and ip
-- do         If one of them should be this host's (a failed-over or service address), add it ||
--            {enter}ip address add ADDRESS dev DEVICE || {enter}ip address del ADDRESS dev DEVICE
-- do         Otherwise somebody routes or floods them here: not this host's loss
-- not        A bigger buffer: the packets are not for this host
-- ruled-out  no packets for foreign addresses worth naming in {seconds}
-- ref        net/ipv4/route.c: not local and forwarding is off
SELECT netns, COALESCE(ipv4, 0) + COALESCE(ipv6, 0) AS lost, ipv4, ipv6, 1.0 * ipv4 / total AS ipv4_share,
       1.0 * ipv6 / total AS ipv6_share, CASE WHEN kind = 'since-boot' THEN :one_look ELSE :certain END AS confidence,
       place, enter
FROM (SELECT netns, total, place, enter, CASE WHEN ipv4 >= floor THEN ipv4 END AS ipv4,
             CASE WHEN ipv6 >= floor THEN ipv6 END AS ipv6
      FROM (SELECT *, MAX(:few, MIN(COALESCE(:share * total, :unknown),
                COALESCE(:rate * rated_s, :share * total, :unknown))) AS floor
            FROM ip_input WHERE cause = 'ip-wrong-address')), window
WHERE ipv4 IS NOT NULL OR ipv6 IS NOT NULL;
