-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       send-filtered
-- kind       cause
-- explains   send-filter
-- severity   warning
-- title      Outgoing packets are refused by a filter{place}
-- needs      snmp.ip_out_discards|snmp.ip6_out_discards
-- param      certain = 0.5        UDP, ICMP and raw sockets are counted together, and short memory too
-- param      one_look = 0.3       the growth since boot may be old
-- evidence   lost packets {lost} packets were dropped on the way out beside full buffers and queues,
--            {lost_share} of what was sent; their programs were told (EPERM)
-- do         See whether a drop rule's counter grows ||
--            {enter}sh -c 'nft list ruleset; iptables -vnL OUTPUT' | grep -iE "drop|reject"
-- do         See whether a unit may not send there ||
--            systemctl show -p IPAddressDeny '*.service' | grep -v '=$'
-- not        Buffers and queues: what they drop is taken off already
-- ruled-out  no outgoing packets were refused worth naming in {seconds}
-- ref        net/ipv4/ip_output.c ip_send_skb(): OutDiscards without SndbufErrors
SELECT netns, datagrams AS lost,
       1.0 * datagrams / (datagrams + COALESCE(ip_out_requests, 0) + COALESCE(ip6_out_requests, 0)) AS lost_share,
       CASE WHEN kind = 'since-boot' THEN :one_look ELSE :certain END AS confidence,
       CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place,
       CASE netns WHEN 'host' THEN '' ELSE 'nsenter -t ' || COALESCE(netns_pid, 'PID') || ' -n ' END AS enter
FROM ledger JOIN snmp USING (netns), window
WHERE locus = 'send-filter';
