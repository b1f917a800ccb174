-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       no-listener
-- kind       cause
-- explains   no-listener
-- severity   warning
-- title      Datagrams come to {a_port}{place}
-- needs      snmp.udp_no_ports|snmp.udp6_no_ports
-- param      local = 0.9          the sender is this host, so it wants an answer here
-- param      remote = 0.6         a fast scan would look the same
-- param      orphaned = 0.85     a socket that was looked at is gone since just before they began to come
-- param      one_look = 0.7       the growth since boot may be old
-- param      one_to_one = 0.9     ICMP messages sent and received for each datagram: only a sender on this
--            host gets them all
-- evidence   lost datagrams {lost} datagrams for ports without a socket, {lost_share} of what arrived ({ipv4}
--            IPv4, {ipv6} IPv6)
-- evidence   gone_s s port {gone_port} had a reader, {gone}, until {gone_s} before the end of the window; they begin
--            to come {gap_s} later
-- evidence   active_rate datagrams/s in {active_steps} of {steps} steps, {active_rate} in these
-- evidence   answers messages the sender is this host itself: {answers} ICMP unreachables sent, {answered}
--            received
-- against    not_local flag the sender is another host; whether the port ever had a reader is not known
-- do         Start it again || systemctl restart {gone_unit}
-- do         And see why it ended || journalctl -u {gone_unit} -n 50
-- do         See the port (in "udp port N unreachable") ||
--            {enter}tcpdump -ni any -c 20 'icmp[0] = 3 and icmp[1] = 3 or icmp6[0] = 1 and icmp6[1] = 4'
-- do         Compare with the ports that have a reader || {enter}ss -uanp
-- do         Start the service that should read there, or stop what sends to it{unknown_port}
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
left_at AS ( -- sockets that were seen, and then no more
    SELECT netns, address, port, MAX(inode) AS inode, MAX(end_step) AS left_step FROM (
        SELECT netns, address, port, inode, MAX(step) AS end_step FROM socket_step GROUP BY netns, cookie, inode)
    GROUP BY netns, port HAVING MAX(end_step) <= (SELECT MAX(step) FROM step) - 3),
orphans AS (
    SELECT netns, address, port, inode, left_step,
           TOTAL(CASE WHEN step <= left_step THEN n END) / (left_step - (SELECT MIN(step) FROM step) + 1.0) AS before,
           TOTAL(CASE WHEN step > left_step THEN n END) / ((SELECT MAX(step) FROM step) - left_step) AS after,
           MIN(CASE WHEN step > left_step AND n > 0 THEN step END) AS first_step
    FROM left_at JOIN (SELECT netns, step, COALESCE(udp_no_ports, 0) + COALESCE(udp6_no_ports, 0)
        + COALESCE(udplite_no_ports, 0) + COALESCE(udplite6_no_ports, 0) AS n FROM snmp_step) USING (netns)
    GROUP BY netns, port),
orphan AS ( -- the one that fits best
    SELECT o.netns, address, port AS gone_port, w.pid, comm AS process, NULLIF(unit, '') AS unit, NULLIF(container,
           '') AS container,
           MIN(first_step - left_step), (MAX((SELECT end_ms FROM step ORDER BY step DESC
               LIMIT 1)) - s.end_ms) / 1000.0 AS gone_s,
           (f.end_ms - s.end_ms) / 1000.0 AS gap_s
    FROM orphans o JOIN step s ON s.step = left_step JOIN step f ON f.step = first_step
    LEFT JOIN (SELECT inode, MIN(pid) AS pid, start_time FROM owner GROUP BY inode) w ON w.inode = o.inode
        AND o.inode > 0
    LEFT JOIN process p ON p.pid = w.pid AND p.start_time = w.start_time
    WHERE first_step - left_step <= 3 AND after >= 5 * before + 1 GROUP BY o.netns),
judged AS (
    SELECT *, answers >= :one_to_one * datagrams AND answered >= :one_to_one * datagrams AS is_local
    FROM ledger JOIN counted USING (netns) LEFT JOIN active USING (netns) LEFT JOIN orphan USING (netns), window
    WHERE locus = 'no-listener')
SELECT netns, address, gone_port AS port, process, pid, unit, container, datagrams AS lost,
       datagrams / (datagrams + delivered) AS lost_share, CAST(ipv4 AS INTEGER) AS ipv4,
       CAST(ipv6 AS INTEGER) AS ipv6,
       CASE WHEN is_local THEN CASE WHEN kind = 'since-boot' THEN :one_look ELSE :local END
           WHEN gone_port IS NOT NULL THEN :orphaned ELSE :remote END AS confidence,
       CASE WHEN gone_port IS NULL THEN 'a port that nobody reads'
           ELSE 'port ' || gone_port || ', which nobody reads any more' END
           AS a_port, gone_port, gone_s, gap_s, COALESCE(process || ' (pid ' || pid || ')',
               'which was not seen') AS gone, unit AS gone_unit,
       CASE WHEN unit IS NULL THEN '' END AS unknown_port,
       CASE WHEN steps > 1 THEN active_rate END AS active_rate, active_steps, steps,
       CASE WHEN is_local THEN CAST(answers AS INTEGER) END AS answers, CAST(answered AS INTEGER) AS answered,
       CASE WHEN NOT is_local AND gone_port IS NULL THEN 1 END AS not_local,
       CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place,
       CASE netns WHEN 'host' THEN '' ELSE 'nsenter -t ' || COALESCE(netns_pid, 'PID') || ' -n ' END AS enter
FROM judged;
