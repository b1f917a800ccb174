-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       no-listener
-- kind       cause
-- explains   no-listener
-- severity   warning
-- title      Datagrams come to a port that nobody reads{place}
-- needs      snmp.udp_no_ports|snmp.udp6_no_ports
-- param      local = 0.9          the sender is this host, so it wants an answer here
-- param      remote = 0.6         a fast scan would look the same
-- param      one_look = 0.7       the growth since boot may be old
-- param      one_to_one = 0.9     ICMP messages sent and received for each datagram: only a sender on this
--            host gets them all
-- evidence   lost datagrams {lost} datagrams for ports without a socket, {lost_share} of what arrived ({ipv4}
--            IPv4, {ipv6} IPv6)
-- evidence   active_rate datagrams/s in {active_steps} of {steps} steps, {active_rate} in these
-- evidence   answers messages the sender is this host itself: {answers} ICMP unreachables sent, {answered}
--            received
-- against    not_local flag the sender is another host; whether the port ever had a reader is not known
-- do         See the port (in "udp port N unreachable") ||
--            {enter}tcpdump -ni any -c 20 'icmp[0] = 3 and icmp[1] = 3 or icmp6[0] = 1 and icmp6[1] = 4'
-- do         Compare with the ports that have a reader || {enter}ss -uanp
-- do         Start the service that should read there, or stop what sends to it
-- not        Buffers: there is no socket that could hold them
-- ruled-out  no port lost its reader: no datagrams to closed ports at a rate worth naming
-- ref        net/ipv4/udp.c __udp4_lib_rcv(): NoPorts, not part of InErrors; ICMP to other hosts is rate
--            limited
WITH counted AS (
    SELECT netns, netns_pid, TOTAL(udp_no_ports) + TOTAL(udplite_no_ports) AS ipv4,
           TOTAL(udp6_no_ports) + TOTAL(udplite6_no_ports) AS ipv6,
           TOTAL(icmp_out_dest_unreachs) + TOTAL(icmp6_out_dest_unreachs) AS answers,
           TOTAL(icmp_in_dest_unreachs) + TOTAL(icmp6_in_dest_unreachs) AS answered,
           TOTAL(udp_in_datagrams) + TOTAL(udp6_in_datagrams)
               + TOTAL(udp_in_errors) + TOTAL(udp6_in_errors) AS delivered
    FROM snmp GROUP BY netns),
active AS (
    SELECT netns, COUNT(*) AS active_steps, SUM(datagrams) / SUM(seconds) AS active_rate
    FROM loss_step JOIN step USING (step) WHERE locus = 'no-listener' GROUP BY netns),
judged AS (
    SELECT *, answers >= :one_to_one * datagrams AND answered >= :one_to_one * datagrams AS is_local
    FROM ledger JOIN counted USING (netns) LEFT JOIN active USING (netns), window
    WHERE locus = 'no-listener')
SELECT netns, datagrams AS lost, datagrams / (datagrams + delivered) AS lost_share, CAST(ipv4 AS INTEGER) AS ipv4,
       CAST(ipv6 AS INTEGER) AS ipv6,
       CASE WHEN is_local THEN CASE WHEN kind = 'since-boot' THEN :one_look ELSE :local END
           ELSE :remote END AS confidence,
       CASE WHEN steps > 1 THEN active_rate END AS active_rate, active_steps, steps,
       CASE WHEN is_local THEN CAST(answers AS INTEGER) END AS answers, CAST(answered AS INTEGER) AS answered,
       CASE WHEN NOT is_local THEN 1 END AS not_local,
       CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place,
       CASE netns WHEN 'host' THEN '' ELSE 'nsenter -t ' || COALESCE(netns_pid, 'PID') || ' -n ' END AS enter
FROM judged;
