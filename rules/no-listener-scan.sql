-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       no-listener-scan
-- kind       no-loss
-- explains   no-listener
-- severity   info
-- title      {no_ports} datagrams to closed ports{place}: no loss
-- needs      snmp.udp_no_ports|snmp.udp6_no_ports
-- param      certain = 0.7
-- param      few = 10             datagrams
-- param      one_to_one = 0.9     ICMP messages sent and received for each datagram: the sender is this host,
--            that is no scan
-- evidence   no_ports datagrams {no_ports} datagrams for ports without a socket, {no_ports_share} of what
--            arrived: scans, late answers, or a service that was away
-- evidence   average_rate datagrams/s {average_rate} on average
-- do         Nothing, unless a service was down meanwhile. To see the ports ||
--            {enter}tcpdump -ni any -c 20 'icmp[0] = 3 and icmp[1] = 3 or icmp6[0] = 1 and icmp6[1] = 4'
-- ref        net/ipv4/udp.c: NoPorts
WITH counted AS (
    SELECT netns, netns_pid, TOTAL(udp_no_ports)
           + TOTAL(udp6_no_ports) + TOTAL(udplite_no_ports) + TOTAL(udplite6_no_ports) AS n,
           TOTAL(icmp_out_dest_unreachs) + TOTAL(icmp6_out_dest_unreachs) AS answers,
           TOTAL(icmp_in_dest_unreachs) + TOTAL(icmp6_in_dest_unreachs) AS answered,
           TOTAL(udp_in_datagrams) + TOTAL(udp6_in_datagrams)
               + TOTAL(udp_in_errors) + TOTAL(udp6_in_errors) AS delivered
    FROM snmp GROUP BY netns)
SELECT netns, CAST(n AS INTEGER) AS no_ports, n / (n + delivered) AS no_ports_share, :certain AS confidence,
       CASE WHEN kind <> 'since-boot' THEN n / seconds END AS average_rate,
       CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place,
       CASE netns WHEN 'host' THEN '' ELSE 'nsenter -t ' || COALESCE(netns_pid, 'PID') || ' -n ' END AS enter
FROM counted, window
WHERE n >= :few AND NOT (answers >= :one_to_one * n AND answered >= :one_to_one * n)
    AND netns NOT IN (SELECT netns FROM ledger WHERE locus = 'no-listener');
