-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       checksum-bad
-- kind       cause
-- explains   checksum
-- severity   warning
-- title      Datagrams arrive with a bad checksum{place}
-- needs      snmp.udp_in_csum_errors|snmp.udp6_in_csum_errors
-- param      certain = 0.85
-- param      one_look = 0.5       the growth since boot may be old
-- param      noise = 0.00001      share of the arrivals that may have been damaged since boot without a word
-- param      tunnelled = 0.01     share of the packets that come through a tunnel, from which its offloads are
--            suspected instead
-- evidence   lost datagrams {lost} datagrams with a bad checksum, {lost_share} of what arrived ({ipv4} IPv4,
--            {ipv6} IPv6)
-- evidence   no_tunnel - no tunnel device of this host receives packets
-- do         See who sends them (in the kernel log: "bad checksum. From") ||
--            dmesg | grep "UDP: bad checksum" | tail
-- do         or catch them; only what comes from outside counts, own packets look bad before the adapter fills
--            them in || {enter}tcpdump -vvni any -c 200 inbound and udp | grep "bad udp cksum"
-- do         One sender: its offload is broken. Try there || ethtool -K DEVICE tx-checksumming off ||
--            ethtool -K DEVICE tx-checksumming on
-- do         Many senders: the path here, or this adapter. Try here, and see whether it goes on ||
--            ethtool -K {adapter} rx-checksumming off || ethtool -K {adapter} rx-checksumming on
-- do         Then exchange cable, switch port, adapter one after the other
-- not        Buffers: the datagrams are damaged. Checksums may be verified only when the program reads, so the
--            count may come late
-- ruled-out  no datagrams with a bad checksum worth naming in {seconds}
-- ref        net/ipv4/udp.c: InCsumErrors is part of InErrors
WITH tunnels AS (
    SELECT TOTAL(rx_packets) AS packets FROM link
    WHERE kind IN ('vxlan', 'geneve', 'gre', 'gretap', 'ip6gre', 'ip6gretap', 'erspan', 'ipip', 'sit', 'ip6tnl',
        'bareudp', 'gtp')),
counted AS (
    SELECT netns, netns_pid, TOTAL(udp6_in_csum_errors) + TOTAL(udplite6_in_csum_errors) AS ipv6,
           TOTAL(ip_in_receives) + TOTAL(ip6_in_receives) AS packets,
           TOTAL(udp_in_datagrams) + TOTAL(udp6_in_datagrams)
               + TOTAL(udp_in_errors) + TOTAL(udp6_in_errors) AS arrived
    FROM snmp GROUP BY netns)
SELECT netns, datagrams AS lost, datagrams / arrived AS lost_share, CAST(datagrams - ipv6 AS INTEGER) AS ipv4,
       CAST(ipv6 AS INTEGER) AS ipv6,
       CASE WHEN kind = 'since-boot' THEN :one_look ELSE :certain END AS confidence,
       CASE WHEN t.packets = 0 AND netns = 'host' AND EXISTS (SELECT 1 FROM link) THEN 'no' END AS no_tunnel,
       CASE netns WHEN 'host' THEN (SELECT interface FROM (SELECT interface, MAX(rx_packets) FROM link
           WHERE kind = '' AND interface <> 'lo')) END AS adapter,
       CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place,
       CASE netns WHEN 'host' THEN '' ELSE 'nsenter -t ' || COALESCE(netns_pid, 'PID') || ' -n ' END AS enter
FROM ledger JOIN counted c USING (netns), tunnels t, window
WHERE locus = 'checksum' AND datagrams > CASE WHEN kind = 'since-boot' THEN :noise * arrived ELSE 0 END
    AND NOT (netns = 'host' AND t.packets > 0 AND t.packets >= :tunnelled * c.packets);
