-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       rx-one-cpu
-- kind       cause
-- explains   nic backlog
-- severity   warning
-- title      One CPU does nearly all receive work, and is at its limit: CPU {cpu}
-- needs      softnet.processed cpu.softirq
-- param      certain = 0.85
-- param      most = 0.8           share of all packets that one CPU takes
-- param      busy = 0.6           share of its time in softirq and interrupts
-- param      half = 0.5           the same where its backlog overflows as well: ksoftirqd shares the CPU with programs
-- param      heavy = 0.1          share of its packets lost in the backlog, from which it is no matter of bursts
-- evidence   packet_share ratio CPU {cpu} takes {packet_share} of all packets ({packets} of {all_packets})
-- evidence   softirq_share ratio it spends {softirq_share} of its time receiving in the steps with loss; the
--            others are idle {others_idle_share}
-- evidence   readers - on that CPU also reads {readers}, with what is left of it
-- evidence   backlog_share ratio {backlog_share} of the packets that it should take did not fit into its backlog
-- evidence   squeezes events its receive rounds ended {squeezes} times with work left
-- do         Use more receive queues || ethtool -L {interface} combined {channels_max} ||
--            ethtool -L {interface} combined {channels}
-- do         See where the interrupts go, and spread them over the CPUs (irqbalance does it) ||
--            grep -E {irq_pattern} /proc/interrupts
-- do         With one queue only: let software spread the packets (RPS) || echo {mask} | tee {rps_file} ||
--            echo 0 | tee {rps_file}
-- do         See which CPUs take the packets of each interface (RPS){in_backlog}, and let more of them do it ||
--            grep . /sys/class/net/*/queues/rx-*/rps_cpus
-- do         Fragments are spread by address only: keep datagrams below 1472 bytes, or spread by more addresses
-- not        A larger ring or backlog: the CPU stays at its limit, the wait only gets longer
-- ruled-out  receive work was spread over the CPUs, or none of them at its limit
-- ref        Documentation/networking/scaling.rst; net/core/dev.c enqueue_to_backlog()
WITH lossy AS (SELECT DISTINCT locus, step FROM loss_step WHERE locus IN ('nic', 'backlog') AND datagrams > 0),
work AS (
    SELECT locus, cpu, SUM(processed) + TOTAL(dropped) AS packets, TOTAL(dropped) AS dropped,
           TOTAL(flow_limit_count) AS limited, SUM(time_squeeze) AS squeezes
    FROM softnet_step JOIN lossy USING (step) GROUP BY locus, cpu),
time AS (
    SELECT locus, cpu, SUM(softirq + irq) AS receiving, SUM(idle + iowait) AS idle,
           NULLIF(SUM(user + nice + system + idle + iowait + irq + softirq + steal), 0) AS ticks
    FROM cpu_step JOIN lossy USING (step) GROUP BY locus, cpu),
top AS (
    SELECT locus, cpu, MAX(packets) AS packets, dropped, limited, squeezes, SUM(packets) AS all_packets,
           (SELECT COUNT(*) FROM cpu) AS cpus
    FROM work GROUP BY locus),
worst AS ( -- the interface, and what was lost: by an adapter, and before a CPU's backlog
    SELECT 'nic' AS locus, l.netns, l.interface, 'CPU|' || l.interface AS irq_pattern, channels, channels_max,
           MAX(MAX(COALESCE(rx_missed_errors, 0), COALESCE(rx_fifo_errors, 0), COALESCE(ring_drops, 0))) AS lost
    FROM link l LEFT JOIN nic n USING (netns, interface) WHERE l.kind = ''
    UNION ALL
    SELECT 'backlog', NULL, interface, CASE WHEN kind = '' AND interface <> 'lo' THEN 'CPU|' || interface END, NULL,
           NULL, dropped - MIN(limited, dropped)
    FROM top LEFT JOIN (
        SELECT interface, kind, MAX(COALESCE(rx_dropped, rx_dropped_unsplit)) AS seen FROM link) ON seen > 0.1 * dropped
    WHERE locus = 'backlog' AND dropped >= :heavy * packets)
SELECT locus, w.netns, w.interface, t.cpu, CAST(lost AS INTEGER) AS lost,
       :certain * packets / all_packets AS confidence, packets / all_packets AS packet_share,
       CAST(packets AS INTEGER) AS packets, CAST(all_packets AS INTEGER) AS all_packets,
       1.0 * receiving / ticks AS softirq_share, NULLIF(squeezes, 0) AS squeezes,
       CASE locus WHEN 'backlog' THEN dropped / packets END AS backlog_share,
       (SELECT GROUP_CONCAT(comm || ' (pid ' || pid || ')', ', ') FROM process
        WHERE role = 'owner' AND last_cpu = t.cpu) AS readers,
       (SELECT 1.0 * SUM(idle) / SUM(ticks) FROM time o WHERE o.locus = t.locus AND o.cpu <> t.cpu) AS others_idle_share,
       channels, CASE WHEN channels < MIN(channels_max, cpus) THEN MIN(channels_max, cpus) END AS channels_max,
       irq_pattern, CASE WHEN cpus < 63 AND COALESCE(channels, 1) = 1 THEN printf('%x', (1 << cpus) - 1) END AS mask,
       '/sys/class/net/' || w.interface || '/queues/rx-0/rps_cpus' AS rps_file,
       CASE locus WHEN 'backlog' THEN '' END AS in_backlog
FROM top t JOIN time USING (locus, cpu) JOIN worst w USING (locus), window
WHERE window.kind <> 'since-boot' AND lost > 0 AND cpus > 1 AND packets >= :most * all_packets
    AND receiving >= CASE locus WHEN 'nic' THEN :busy ELSE :half END * ticks;
