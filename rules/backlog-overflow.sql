-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       backlog-overflow
-- kind       cause
-- explains   backlog
-- after      rx-one-cpu
-- severity   warning
-- title      The backlog queue between the network softirqs overflows
-- needs      softnet.dropped
-- param      certain = 0.95
-- param      one_look = 0.7       the growth since boot may be old
-- param      first = 2000         packets: a limit to begin with, where the worst second is not known
-- param      largest = 50000      packets: beyond it the queue is only a delay
-- param      truesize = 2304      memory of one packet of up to 1500 bytes
-- param      cut_share = 0.01     rounds cut short for each dropped packet, from which a longer round may help
-- param      heavy = 0.2          share of the packets of a CPU from which no queue is long enough
-- evidence   lost packets {lost} packets dropped: {per_cpu}
-- evidence   lossy_steps steps dropped in {lossy_steps} of {steps} steps, at worst {worst_rate} on one CPU
-- evidence   readers - on the CPU that dropped most also reads {readers}
-- evidence   limit packets each CPU's queue holds {limit} packets (netdev_max_backlog)
-- evidence   devices - on the way into {devices}
-- evidence   seen_by_sender datagrams the senders' side of the same loss: SndbufErrors {seen_by_sender}
--            (veth), counted here only
-- evidence   squeezes events receive rounds ended {squeezes} times with work left
-- against    no_squeeze events no receive round ended with work left: short bursts, not CPUs at their limit
-- against    now packets netdev_max_backlog was raised to {now} meanwhile: look whether it goes on
-- do         Let each queue hold {new_limit} packets (at most {memory_bytes} a CPU, taken only in bursts) ||
--            sysctl -w net.core.netdev_max_backlog={new_limit} || sysctl -w net.core.netdev_max_backlog={limit}
-- do         Let each queue hold 2000 packets ({unread}the limit is not known here; the kernel's default is
--            1000) || sysctl -w net.core.netdev_max_backlog=2000 || sysctl -w net.core.netdev_max_backlog=1000
-- do         Receive rounds are cut short: let them take more ||
--            sysctl -w net.core.netdev_budget={new_budget} || sysctl -w net.core.netdev_budget={budget}
-- do         Spread the packets over more CPUs: RPS of the interface they come through ||
--            grep . /sys/class/net/*/queues/rx-*/rps_cpus
-- not        A longer queue alone: {heavy_share} of the packets of a CPU were lost, it is at its limit
-- not        A bigger socket buffer: these packets never reached a socket
-- ruled-out  no packet was dropped at the backlog in {seconds}
-- ref        net/core/dev.c enqueue_to_backlog(): RPS, loopback, veth, tunnels; adapters without RPS never get
--            there
WITH worst AS (
    SELECT MAX(dropped / seconds) AS worst_rate, MAX(dropped) AS worst, COUNT(DISTINCT step) AS lossy_steps,
           MAX(1.0 * dropped / (dropped + processed)) AS heavy_share
    FROM softnet_step WHERE dropped > 0),
told AS (
    SELECT SUM(dropped) AS dropped, TOTAL(flow_limit_count) AS limited, SUM(time_squeeze) AS squeezes FROM softnet),
limits AS ( -- a limit that was raised meanwhile is not the one that lost
    SELECT MIN(lowest, now) AS "limit", now, budget
    FROM (SELECT netdev_max_backlog AS now, netdev_budget AS budget FROM sysctl WHERE netns = 'host'),
         (SELECT COALESCE(MIN(netdev_max_backlog), 9999999) AS lowest FROM sysctl_step WHERE netns = 'host')),
sender AS (
    SELECT TOTAL(udp_sndbuf_errors) + TOTAL(udp6_sndbuf_errors) AS seen FROM snmp),
judged AS (
    SELECT *, MIN(:largest, MAX(:first, 2 * now, CASE WHEN kind = 'since-boot' THEN 0
           ELSE (now + worst) / 1000 * 1000 + 1000 END)) AS advice
    FROM told, worst, sender, window LEFT JOIN limits)
SELECT CAST(dropped - MIN(limited, dropped) AS INTEGER) AS lost,
       CASE WHEN kind = 'since-boot' THEN :one_look ELSE :certain END AS confidence,
       (SELECT GROUP_CONCAT(printf('CPU %d: %,d of %,d', cpu, dropped, processed + dropped), ', ')
        FROM (SELECT * FROM softnet WHERE dropped > 0 ORDER BY dropped DESC LIMIT 4)) AS per_cpu,
       (SELECT GROUP_CONCAT(comm || ' (pid ' || pid || ')', ', ') FROM process
        WHERE role = 'owner' AND last_cpu = (SELECT cpu FROM softnet ORDER BY dropped DESC LIMIT 1)) AS readers,
       CASE WHEN steps > 1 THEN lossy_steps END AS lossy_steps, steps, worst_rate, "limit", budget,
       CASE WHEN now > "limit" THEN now END AS now, CASE WHEN "limit" IS NULL THEN '' END AS unread,
       (SELECT GROUP_CONCAT(interface, ', ') FROM link
        WHERE (kind <> '' OR interface = 'lo') AND COALESCE(rx_dropped, rx_dropped_unsplit) > 0.1 * dropped) AS devices,
       CASE WHEN seen >= 0.5 * dropped THEN CAST(seen AS INTEGER) END AS seen_by_sender,
       NULLIF(squeezes, 0) AS squeezes, CASE squeezes WHEN 0 THEN 0 END AS no_squeeze,
       CASE WHEN kind <> 'since-boot' AND squeezes > :cut_share * dropped THEN 2 * budget END AS new_budget,
       CASE WHEN kind <> 'since-boot' AND heavy_share >= :heavy THEN heavy_share END AS heavy_share,
       CASE WHEN now = "limit" THEN advice END AS new_limit, advice * :truesize AS memory_bytes
FROM judged
WHERE dropped > MIN(limited, dropped);
