-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       socket-queue-overflow
-- kind       cause
-- explains   socket-queue
-- general    yes
-- severity   warning
-- title      Receive queues of {sockets} overflow{place}
-- needs      snmp.udp_rcvbuf_errors|snmp.udp6_rcvbuf_errors|socket.drops
-- param      noise = 0.00001         share of the arrivals that a host may have lost since boot without a word
-- param      heavy = 0.1             share of the arrivals from which it is critical, and no buffer is the
--            answer
-- param      many = 100              datagrams from which such a share is
-- param      slight = 0.0001         share of the arrivals below which it is no warning
-- param      few = 10                datagrams below which it is none
-- param      stock_bytes = 212992    the kernel's default buffer: only up to it is a bigger one worth a try
--            unseen
-- param      first_bytes = 1048576   enough for a server of low load; of one look since boot no burst can be
--            measured
-- param      truesize = 2304         memory of one datagram of up to 1,472 bytes in the queue
-- param      largest_bytes = 33554432   a loss that needs more is not cured by a buffer
-- param      part = 0.01             of the loss below which a reader is not named
-- param      rest = 0.1              of the loss above which the others are worth a row
-- evidence   lost_share ratio {lost} of {arrivals} datagrams found their socket's queue full: {lost_share}
-- evidence   unmeasured datagrams {unmeasured} datagrams found their socket's queue full; how many were
--            delivered is not known here
-- evidence   closed datagrams {closed} of the {all_lost} that were lost at socket queues belong to none of the
--            sockets named: they closed, or lost little each
-- evidence   ipv6_lost datagrams {ipv6_lost} of them over IPv6
-- evidence   lossy_steps steps lost in {lossy_steps} of {steps} steps, at worst {worst_rate}
-- evidence   local_share ratio the sender is on this host: {sent} sent, {arrivals} arrived
-- evidence   rcvbuf_bytes bytes its buffer holds {rcvbuf_bytes}
-- evidence   full_share ratio the queue was full in {full_share} of {queue_looks} looks, empty in {empty_share}
-- evidence   run_share ratio its reading thread ran {run_share} of the lossy time
-- evidence   idle_share ratio in these steps the CPUs were idle {idle_share}, waiting for disks
--            {iowait_share}, stolen {steal_share}
-- evidence   rmem_default_bytes bytes a new socket's buffer holds {rmem_default_bytes}; SO_RCVBUF may ask for
--            {rmem_max_bytes}
-- evidence   owner_names - it is held by {owner_names}
-- against    undecided flag none of the reasons that were looked for covers most of the loss
-- against    snapshot flag one look since boot: only a second one tells whether it goes on, in bursts or always
-- do         Find the socket: run it twice, d in skmem counts its drops || {enter}ss -uamnp
-- do         Look at its owner's times (PID from there): CPU, waiting for CPU and disk, faults ||
--            pidstat -p PID -t -u -w -d -r 1 10
-- do         See who holds it, as root || {enter}ss -uamnp 'sport = :{denied_port:raw}'
-- do         Look at the reader's times: CPU, waiting for CPU and disk, faults ||
--            pidstat -p {seen_pid} -t -u -w -d -r 1 10
-- do         Buffers are at the kernel's default or below; let a socket hold {needed_bytes} (memory taken only
--            while it falls behind). For sockets made from now on: then restart the program ||
--            sysctl -w net.core.rmem_default={needed_bytes} ||
--            sysctl -w net.core.rmem_default={rmem_default_bytes}
-- do         For programs that set SO_RCVBUF themselves (the kernel doubles what they ask) ||
--            sysctl -w net.core.rmem_max={new_rmem_max_bytes} || sysctl -w net.core.rmem_max={rmem_max_bytes}
-- not        A bigger buffer first: the loss is heavy or never pauses, so any buffer stays full and only adds
--            delay{endless}
-- not        Which socket and which process: not judged, these are counters of the whole namespace{no_socket}
-- not        Which process, and why it does not read: its files may not be seen here (run it as root){denied}
-- not        A process: the kernel itself reads this socket ({kernel_user})
-- not        What is lost before the socket is not among them: see /proc/net/softnet_stat column 2 and ethtool
--            -S{no_socket}
-- ruled-out  no socket queue overflowed in {seconds}
-- ref        net/ipv4/udp.c __udp_enqueue_schedule_skb(): RcvbufErrors, one per datagram
WITH named AS (
    SELECT receiver, netns, subject_lost AS lost FROM receiver JOIN ledger USING (netns)
    WHERE locus = 'socket-queue' AND subject_lost >= MAX(1, :part * datagrams)),
others AS (
    SELECT l.netns, l.datagrams - COALESCE(n.lost, 0) AS lost, CASE WHEN n.lost > 0 THEN l.datagrams END AS all_lost
    FROM ledger l LEFT JOIN (SELECT netns, SUM(lost) AS lost FROM named GROUP BY netns) n USING (netns)
    WHERE locus = 'socket-queue'),
places AS (
    SELECT receiver, netns, lost, NULL AS all_lost FROM named
    UNION ALL SELECT NULL, netns, lost, all_lost FROM others WHERE lost >= :rest * COALESCE(all_lost, lost)),
lossy AS (
    SELECT NULL AS receiver, netns, COUNT(*) AS lossy_steps, MAX(datagrams / seconds) AS worst_rate,
           MAX(CASE WHEN seconds > 0 THEN datagrams / MAX(1.0, seconds) ELSE 0 END) AS worst
    FROM loss_step JOIN step USING (step)
    WHERE locus = 'socket-queue' AND datagrams > 0 GROUP BY netns
    UNION ALL
    SELECT receiver, netns, COUNT(*), MAX(s.lost / seconds), MAX(CASE WHEN seconds > 0 THEN s.lost / MAX(1.0, seconds) ELSE 0 END)
    FROM receiver_step s JOIN receiver USING (receiver) WHERE s.lost > 0 GROUP BY receiver),
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
told AS (
    SELECT p.netns, p.receiver, p.lost, p.all_lost, l.lossy_steps, l.worst_rate, l.worst, idle, iowait, c.steal,
           ticks, netns_pid, ipv6,
           arrived, sent, r.address, r.port, r.ports, r.pid, r.process, r.unit, r.container, r.reader,
               r.owner_state, r.kernel_user,
           r.owner_names, r.rcvbuf_bytes, r.looks, r.looks_full, r.looks_empty, r.seen, r.drops, m.run_share,
           MIN(COALESCE(r.rcvbuf_bytes, rmem_default_bytes), rmem_default_bytes) AS holds, rmem_default_bytes,
           rmem_max_bytes, window.kind, steps, MAX(arrived, p.lost) AS arrivals
    FROM places p LEFT JOIN traffic USING (netns) LEFT JOIN lossy l ON l.netns = p.netns AND l.receiver IS p.receiver
    LEFT JOIN cpus c ON c.netns = p.netns LEFT JOIN receiver r ON r.receiver = p.receiver
    LEFT JOIN lossy_mean m ON m.receiver = p.receiver
    LEFT JOIN (SELECT rmem_default_bytes, rmem_max_bytes FROM sysctl WHERE netns = 'host'), window),
judged AS (
    SELECT *, COALESCE(lost >= :heavy * arrived, 0) OR (steps >= 10 AND lossy_steps > 0.9 * steps) AS endless,
           CASE WHEN COALESCE(rcvbuf_bytes, rmem_default_bytes) <= :stock_bytes AND COALESCE(kernel_user, '') = '' THEN
               MAX(:first_bytes, CASE WHEN kind = 'since-boot' THEN 0
                                 ELSE CAST((rmem_default_bytes
                                     + worst * :truesize) / 65536 + 1 AS INTEGER) * 65536 END) END AS needed
    FROM told)
SELECT netns, address, port, process, pid, unit, container, lost, CASE WHEN receiver IS NOT NULL THEN lost
       END AS subject_lost,
       CAST(arrivals AS INTEGER) AS arrivals,
       CASE WHEN receiver IS NULL THEN 'UDP sockets' WHEN process IS NOT NULL THEN reader ELSE ports END AS sockets,
       CASE WHEN all_lost IS NULL THEN lost / arrivals END AS lost_share,
       CASE WHEN arrivals IS NULL THEN lost END AS unmeasured, CASE WHEN all_lost IS NOT NULL THEN lost
           END AS closed, all_lost,
       CASE WHEN kind = 'since-boot' THEN 0.5 WHEN seen THEN 0.5 ELSE 0.6 END AS confidence,
       CASE WHEN lost < :few OR lost < :slight * arrivals THEN 'info'
            WHEN lost >= :heavy * arrivals AND lost >= :many AND kind <> 'since-boot' THEN 'critical' END AS severity,
       CASE WHEN receiver IS NULL THEN NULLIF(CAST(ipv6 AS INTEGER), 0) END AS ipv6_lost,
       CASE WHEN steps > 1 THEN lossy_steps END AS lossy_steps, steps, worst_rate,
       CAST(sent AS INTEGER) AS sent, CASE WHEN lost >= 0.05 * arrivals AND sent BETWEEN 0.98 * arrivals
           AND 1.02 * arrivals
           THEN sent / arrivals END AS local_share,
       rcvbuf_bytes, CASE WHEN looks > 0 THEN 1.0 * looks_full / looks END AS full_share, looks AS queue_looks,
       1.0 * looks_empty / NULLIF(looks, 0) AS empty_share, run_share, owner_names,
       CASE WHEN kind <> 'since-boot' AND COALESCE(seen, 0) = 0 THEN idle / ticks END AS idle_share,
       iowait / ticks AS iowait_share, steal / ticks AS steal_share,
       CASE WHEN COALESCE(rcvbuf_bytes, 0) <= rmem_default_bytes THEN rmem_default_bytes END AS rmem_default_bytes,
       rmem_max_bytes, CASE WHEN kind = 'since-boot' THEN 1 END AS snapshot,
       CASE WHEN seen AND kind <> 'since-boot' THEN 1 END AS undecided,
       CASE WHEN needed <= :largest_bytes AND NOT endless THEN needed END AS needed_bytes,
       CASE WHEN needed <= :largest_bytes AND NOT endless AND needed / 2 > rmem_max_bytes
           THEN needed / 2 END AS new_rmem_max_bytes,
       CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place,
       CASE WHEN endless THEN '' END AS endless, CASE WHEN receiver IS NULL THEN '' END AS no_socket,
       CASE owner_state WHEN 'denied' THEN '' END AS denied, CASE owner_state WHEN 'denied' THEN port
           END AS denied_port,
       CASE WHEN seen THEN pid END AS seen_pid, NULLIF(kernel_user, '') AS kernel_user,
       CASE WHEN receiver IS NULL OR owner_state = 'denied' THEN
           CASE netns WHEN 'host' THEN '' ELSE 'nsenter -t ' || COALESCE(netns_pid, 'PID') || ' -n ' END END AS enter
FROM judged
WHERE lost > CASE WHEN kind = 'since-boot' THEN :noise * COALESCE(arrivals, 0) ELSE 0 END;
