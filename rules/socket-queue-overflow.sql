-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       socket-queue-overflow
-- kind       cause
-- explains   socket-queue
-- general    yes
-- severity   warning
-- title      Receive queues of UDP sockets overflow{place}
-- needs      snmp.udp_rcvbuf_errors|snmp.udp6_rcvbuf_errors
-- param      noise = 0.00001         share of the arrivals that a host may have lost since boot without a word
-- param      heavy = 0.1             share of the arrivals from which it is critical, and no buffer is the
--            answer
-- param      stock_bytes = 212992    the kernel's default buffer: only up to it is a bigger one worth a try
--            unseen
-- param      first_bytes = 1048576   enough for a server of low load; of one look since boot no burst can be
--            measured
-- param      truesize = 2304         memory of one datagram of up to 1,472 bytes in the queue
-- param      largest_bytes = 33554432   a loss that needs more is not cured by a buffer
-- evidence   lost_share ratio {lost} of {arrivals} datagrams found their socket's queue full: {lost_share}
-- evidence   unmeasured datagrams {unmeasured} datagrams found their socket's queue full; how many were
--            delivered is not known here
-- evidence   ipv6_lost datagrams {ipv6_lost} of them over IPv6
-- evidence   lossy_steps steps lost in {lossy_steps} of {steps} steps, at worst {worst_rate}
-- evidence   local_share ratio the sender is on this host: {sent} sent, {arrivals} arrived
-- evidence   idle_share ratio in these steps the CPUs were idle {idle_share}, waiting for disks
--            {iowait_share}, stolen {steal_share}
-- evidence   rmem_default_bytes bytes a new socket's buffer holds {rmem_default_bytes}; SO_RCVBUF may ask for
--            {rmem_max_bytes}
-- against    snapshot flag one look since boot: only a second one tells whether it goes on, in bursts or always
-- do         Find the socket: run it twice, d in skmem counts its drops || {enter}ss -uamnp
-- do         Look at its owner's times (PID from there): CPU, waiting for CPU and disk, faults ||
--            pidstat -p PID -t -u -w -d -r 1 10
-- do         Buffers are at the kernel's default or below; let a socket hold {needed_bytes} (memory taken only
--            while it falls behind). For sockets made from now on: then restart the program ||
--            sysctl -w net.core.rmem_default={needed_bytes} ||
--            sysctl -w net.core.rmem_default={rmem_default_bytes}
-- do         For programs that set SO_RCVBUF themselves (the kernel doubles what they ask) ||
--            sysctl -w net.core.rmem_max={new_rmem_max_bytes} || sysctl -w net.core.rmem_max={rmem_max_bytes}
-- not        A bigger buffer first: the loss is heavy or never pauses, so any buffer stays full and only adds
--            delay{endless}
-- not        Which socket and which process: not judged, these are counters of the whole namespace
-- not        What is lost before the socket is not among them: see /proc/net/softnet_stat column 2 and ethtool
--            -S
-- ruled-out  no socket queue overflowed in {seconds}
-- ref        net/ipv4/udp.c __udp_enqueue_schedule_skb(): RcvbufErrors, one per datagram
WITH lossy AS (
    SELECT netns, COUNT(*) AS lossy_steps, MAX(datagrams / seconds) AS worst_rate,
           MAX(datagrams / MAX(1.0, seconds)) AS worst
    FROM loss_step JOIN step USING (step)
    WHERE locus = 'socket-queue' AND datagrams > 0 GROUP BY netns),
cpus AS (
    SELECT l.netns, TOTAL(idle) AS idle, TOTAL(iowait) AS iowait, TOTAL(steal) AS steal,
           NULLIF(TOTAL(user) + TOTAL(nice) + TOTAL(system) + TOTAL(idle) + TOTAL(iowait) + TOTAL(irq)
               + TOTAL(softirq) + TOTAL(steal), 0) AS ticks
    FROM loss_step l JOIN cpu_step USING (step)
    WHERE l.locus = 'socket-queue' AND l.datagrams > 0 GROUP BY l.netns),
traffic AS (
    SELECT netns, netns_pid, TOTAL(udp6_rcvbuf_errors) + TOTAL(udplite6_rcvbuf_errors) AS ipv6,
           CASE WHEN COUNT(udp_in_datagrams) + COUNT(udp6_in_datagrams) > 0
               THEN TOTAL(udp_in_datagrams) + TOTAL(udp6_in_datagrams)
                     + MAX(TOTAL(udp_in_errors) + TOTAL(udp6_in_errors),
                         TOTAL(udp_rcvbuf_errors) + TOTAL(udp6_rcvbuf_errors)) END AS arrived,
           TOTAL(udp_out_datagrams) + TOTAL(udp6_out_datagrams) AS sent
    FROM snmp GROUP BY netns),
judged AS (
    SELECT *, MAX(arrived, datagrams) AS arrivals,
           COALESCE(datagrams >= :heavy * arrived, 0) OR (steps >= 10 AND lossy_steps > 0.9 * steps) AS endless,
           CASE WHEN rmem_default_bytes <= :stock_bytes THEN
               MAX(:first_bytes, CASE WHEN kind = 'since-boot' THEN 0
                                 ELSE CAST((rmem_default_bytes
                                     + worst * :truesize) / 65536 + 1 AS INTEGER) * 65536 END) END AS needed
    FROM ledger JOIN traffic USING (netns) LEFT JOIN lossy USING (netns) LEFT JOIN cpus USING (netns)
    LEFT JOIN (SELECT rmem_default_bytes, rmem_max_bytes FROM sysctl WHERE netns = 'host'), window
    WHERE locus = 'socket-queue')
SELECT netns, datagrams AS lost, CAST(arrivals AS INTEGER) AS arrivals, datagrams / arrivals AS lost_share,
       CASE WHEN arrivals IS NULL THEN datagrams END AS unmeasured,
       CASE WHEN kind = 'since-boot' THEN 0.5 ELSE 0.6 END AS confidence,
       CASE WHEN datagrams >= :heavy * arrivals AND kind <> 'since-boot' THEN 'critical' END AS severity,
       NULLIF(CAST(ipv6 AS INTEGER), 0) AS ipv6_lost,
       CASE WHEN steps > 1 THEN lossy_steps END AS lossy_steps, steps, worst_rate,
       CAST(sent AS INTEGER) AS sent, CASE WHEN datagrams >= 0.05 * arrivals AND sent BETWEEN 0.98 * arrivals
           AND 1.02 * arrivals
           THEN sent / arrivals END AS local_share,
       CASE WHEN kind <> 'since-boot' THEN idle / ticks END AS idle_share, iowait / ticks AS iowait_share,
       steal / ticks AS steal_share, rmem_default_bytes, rmem_max_bytes, CASE WHEN kind = 'since-boot'
           THEN 1 END AS snapshot,
       CASE WHEN needed <= :largest_bytes AND NOT endless THEN needed END AS needed_bytes,
       CASE WHEN needed <= :largest_bytes AND NOT endless AND needed / 2 > rmem_max_bytes
           THEN needed / 2 END AS new_rmem_max_bytes,
       CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place,
       CASE WHEN endless THEN '' END AS endless,
       CASE netns WHEN 'host' THEN '' ELSE 'nsenter -t ' || COALESCE(netns_pid, 'PID') || ' -n ' END AS enter
FROM judged
WHERE datagrams > CASE WHEN kind = 'since-boot' THEN :noise * COALESCE(arrivals, 0) ELSE 0 END;
