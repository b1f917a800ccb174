-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       send-no-route
-- kind       cause
-- explains   send-route
-- severity   warning
-- title      Programs send to where no route leads{place}
-- needs      snmp.ip_out_no_routes|snmp.ip6_out_no_routes
-- param      certain = 0.6        packets of all protocols are counted
-- param      one_look = 0.4       the growth since boot may be old
-- evidence   lost packets {lost} packets without a route ({ipv4} IPv4, {ipv6} IPv6), {lost_share} of what was
--            sent; the programs were told (ENETUNREACH)
-- do         Look at the routes, and ask them for the destination || {enter}ip route get DESTINATION
-- do         Add the missing one || {enter}ip route add NETWORK via GATEWAY ||
--            {enter}ip route del NETWORK via GATEWAY
-- not        Buffers and queues: the packets were never queued
-- ruled-out  no packets without a route on the way out worth naming in {seconds}
-- ref        net/ipv4/route.c, net/ipv6/route.c: OutNoRoutes
SELECT netns, datagrams AS lost, COALESCE(ip_out_no_routes, 0) AS ipv4, COALESCE(ip6_out_no_routes, 0) AS ipv6,
       1.0 * datagrams / (datagrams + COALESCE(ip_out_requests, 0) + COALESCE(ip6_out_requests, 0)) AS lost_share,
       CASE WHEN kind = 'since-boot' THEN :one_look ELSE :certain END AS confidence,
       CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place,
       CASE netns WHEN 'host' THEN '' ELSE 'nsenter -t ' || COALESCE(netns_pid, 'PID') || ' -n ' END AS enter
FROM ledger JOIN snmp USING (netns), window
WHERE locus = 'send-route';
