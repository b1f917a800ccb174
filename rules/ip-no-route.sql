-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       ip-no-route
-- kind       cause
-- explains   ip-input
-- severity   warning
-- title      Packets arrive for which there is no route{place}
-- needs      snmp.ip_ext_in_no_routes|snmp.ip6_in_no_routes
-- param      certain = 0.6        packets of all protocols are counted
-- param      one_look = 0.4       the growth since boot may be old
-- param      few = 20             packets: fewer are strays
-- param      share = 0.01         of all packets, from which it is worth naming; the ledger takes the same
-- param      unknown = 1000    packets from which it is worth naming where nobody knows of how many
-- param      rate = 50            packets a second that are worth naming whatever their share
-- evidence   ipv4 packets {ipv4} IPv4 packets, {ipv4_share} of all that arrived (IpExtInNoRoutes)
-- evidence   ipv6 packets {ipv6} IPv6 packets, {ipv6_share} of all that arrived (Ip6InNoRoutes)
-- do         See for which destinations || {enter}tcpdump -ni any -c 100 inbound and ip
-- do         Ask what the routes say for one of them || {enter}ip route get DESTINATION
-- do         Add the missing route || {enter}ip route add NETWORK via GATEWAY ||
--            {enter}ip route del NETWORK via GATEWAY
-- not        A bigger buffer: the packets have nowhere to go
-- ruled-out  no packets without a route worth naming in {seconds}
-- ref        net/ipv4/route.c, net/ipv6/route.c
SELECT netns, COALESCE(ipv4, 0) + COALESCE(ipv6, 0) AS lost, ipv4, ipv6, 1.0 * ipv4 / total AS ipv4_share,
       1.0 * ipv6 / total AS ipv6_share, CASE WHEN kind = 'since-boot' THEN :one_look ELSE :certain END AS confidence,
       place, enter
FROM (SELECT netns, total, place, enter, CASE WHEN ipv4 >= floor THEN ipv4 END AS ipv4,
             CASE WHEN ipv6 >= floor THEN ipv6 END AS ipv6
      FROM (SELECT *, MAX(:few, MIN(COALESCE(:share * total, :unknown),
                COALESCE(:rate * rated_s, :share * total, :unknown))) AS floor
            FROM ip_input WHERE cause = 'ip-no-route')), window
WHERE ipv4 IS NOT NULL OR ipv6 IS NOT NULL;
