-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       ip-bad-header
-- kind       cause
-- explains   ip-input
-- severity   warning
-- title      Packets with a bad IP header arrive{place}
-- needs      snmp.ip_in_hdr_errors|snmp.ip6_in_hdr_errors
-- param      certain = 0.6        packets of all protocols are counted
-- param      one_look = 0.4       the growth since boot may be old
-- param      few = 20             packets: fewer are strays
-- param      share = 0.01         of all packets, from which it is worth naming; the ledger takes the same
-- param      unknown = 1000    packets from which it is worth naming where nobody knows of how many
-- param      rate = 50            packets a second that are worth naming whatever their share
-- evidence   ipv4 packets {ipv4} IPv4 packets, {ipv4_share} of all that arrived (IpInHdrErrors: checksum,
--            version, length, or forwarded with no hops left)
-- evidence   ipv6 packets {ipv6} IPv6 packets, {ipv6_share} of all that arrived (Ip6InHdrErrors: also
--            malformed fragments and forbidden addresses)
-- do         Catch some and look where they come from (bad checksums show as such) ||
--            {enter}tcpdump -vvni any -c 200 ip | grep -iE "bad cksum|truncated|bad hlen"
-- do         Change the path's hardware step by step: a header checksum breaks in a faulty switch, adapter or
--            tunnel
-- not        A bigger buffer: the packets are unusable
-- ruled-out  no packets with bad IP headers worth naming in {seconds}
-- ref        net/ipv4/ip_input.c ip_rcv_core(); net/ipv6/ip6_input.c
SELECT netns, COALESCE(ipv4, 0) + COALESCE(ipv6, 0) AS lost, ipv4, ipv6, 1.0 * ipv4 / total AS ipv4_share,
       1.0 * ipv6 / total AS ipv6_share, CASE WHEN kind = 'since-boot' THEN :one_look ELSE :certain END AS confidence,
       place, enter
FROM (SELECT netns, total, place, enter, CASE WHEN ipv4 >= floor THEN ipv4 END AS ipv4,
             CASE WHEN ipv6 >= floor THEN ipv6 END AS ipv6
      FROM (SELECT *, MAX(:few, MIN(COALESCE(:share * total, :unknown),
                COALESCE(:rate * rated_s, :share * total, :unknown))) AS floor
            FROM ip_input WHERE cause = 'ip-bad-header')), window
WHERE ipv4 IS NOT NULL OR ipv6 IS NOT NULL;
