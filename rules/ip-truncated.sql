-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       ip-truncated
-- kind       cause
-- explains   ip-input
-- severity   warning
-- title      Packets arrive cut short{place}
-- needs      snmp.ip_ext_in_truncated_pkts|snmp.ip6_in_truncated_pkts
-- param      certain = 0.6        packets of all protocols are counted
-- param      one_look = 0.4       the growth since boot may be old
-- param      few = 20             packets: fewer are strays
-- param      share = 0.01         of all packets, from which it is worth naming; the ledger takes the same
-- param      unknown = 1000    packets from which it is worth naming where nobody knows of how many
-- param      rate = 50            packets a second that are worth naming whatever their share
-- evidence   ipv4 packets {ipv4} IPv4 packets, {ipv4_share} of all that arrived (IpExtInTruncatedPkts: shorter
--            than their header says)
-- evidence   ipv6 packets {ipv6} IPv6 packets, {ipv6_share} of all that arrived (Ip6InTruncatedPkts)
-- do         See from whom || {enter}tcpdump -vvni any -c 500 ip | grep -i truncated
-- do         Compare the MTU along the path; a tunnel, a capture or replay tool, or a driver cuts them
-- not        A bigger buffer: the packets are unusable
-- ruled-out  no truncated packets worth naming in {seconds}
-- ref        net/ipv4/ip_input.c: counted here and nowhere else
SELECT netns, COALESCE(ipv4, 0) + COALESCE(ipv6, 0) AS lost, ipv4, ipv6, 1.0 * ipv4 / total AS ipv4_share,
       1.0 * ipv6 / total AS ipv6_share, CASE WHEN kind = 'since-boot' THEN :one_look ELSE :certain END AS confidence,
       place, enter
FROM (SELECT netns, total, place, enter, CASE WHEN ipv4 >= floor THEN ipv4 END AS ipv4,
             CASE WHEN ipv6 >= floor THEN ipv6 END AS ipv6
      FROM (SELECT *, MAX(:few, MIN(COALESCE(:share * total, :unknown),
                COALESCE(:rate * rated_s, :share * total, :unknown))) AS floor
            FROM ip_input WHERE cause = 'ip-truncated')), window
WHERE ipv4 IS NOT NULL OR ipv6 IS NOT NULL;
