-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       send-too-big
-- kind       cause
-- explains   send-fragment
-- severity   warning
-- title      Datagrams are too big for the path and may not be fragmented{place}
-- needs      snmp.ip_frag_fails|snmp.ip6_frag_fails
-- param      certain = 0.7        also where a fragment could not be sent
-- param      one_look = 0.5       the growth since boot may be old
-- param      few = 3              datagrams: every path whose MTU is being found costs some
-- evidence   lost datagrams {lost} datagrams ({ipv4} IPv4, {ipv6} IPv6) could not be fragmented (FragFails)
-- evidence   too_bigs messages routers answered {too_bigs} times that ours are too big (IPv6)
-- do         See the MTU that was learnt for a destination || {enter}ip route get DESTINATION
-- do         Smaller datagrams: its MTU less 28 bytes (IPv4) or 48 (IPv6): 1472 and 1452 at 1500; 1232 fit
--            everywhere over IPv6
-- do         Tunnels and VPNs take 20 to 80 bytes off the MTU: set it on their device ||
--            {enter}ip link set dev DEVICE mtu 1400 || {enter}ip link set dev DEVICE mtu OLD
-- not        Buffers: size, not number, is what does not fit
-- ruled-out  no datagram of this host was too big for its path in {seconds}
-- ref        net/ipv4/ip_output.c, net/ipv6/ip6_output.c: FragFails; EMSGSIZE of a local sender is not counted;
--            where packets are forwarded see forward-too-big
SELECT netns, datagrams AS lost, MIN(datagrams, COALESCE(ip_frag_fails, 0)) AS ipv4,
       MIN(datagrams, COALESCE(ip6_frag_fails, 0)) AS ipv6,
       CASE WHEN kind = 'since-boot' THEN :one_look ELSE :certain END * CASE WHEN datagrams < :few THEN 0.5
           ELSE 1 END AS confidence,
       CASE WHEN datagrams < :few THEN 'info' END AS severity, NULLIF(icmp6_in_pkt_too_bigs, 0) AS too_bigs,
       CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place,
       CASE netns WHEN 'host' THEN '' ELSE 'nsenter -t ' || COALESCE(netns_pid, 'PID') || ' -n ' END AS enter
FROM ledger JOIN snmp USING (netns), window
WHERE locus = 'send-fragment';
