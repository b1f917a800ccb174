-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       rx-one-cpu
-- kind       cause
-- explains   nic
-- severity   warning
-- title      One CPU does nearly all receive work, and is at its limit: CPU {cpu}
-- needs      softnet.processed cpu.softirq link.rx_missed_errors
-- param      certain = 0.85
-- param      most = 0.8           share of all packets that one CPU takes
-- param      busy = 0.6           share of its time in softirq and interrupts
-- evidence   packet_share ratio CPU {cpu} takes {packet_share} of all packets ({packets} of {all_packets})
-- evidence   softirq_share ratio it spends {softirq_share} of its time receiving in the steps with loss; the
--            others are idle {others_idle_share}
-- evidence   readers - on that CPU also reads {readers}, with what is left of it
-- evidence   squeezes events its receive rounds ended {squeezes} times with work left
-- do         Use more receive queues || ethtool -L {interface} combined {channels_max} ||
--            ethtool -L {interface} combined {channels}
-- do         See where the interrupts go, and spread them over the CPUs (irqbalance does it) ||
--            grep -E {irq_pattern} /proc/interrupts
-- do         With one queue only: let software spread the packets (RPS) || echo {mask} | tee {rps_file} ||
--            echo 0 | tee {rps_file}
-- do         Fragments are spread by address only: keep datagrams below 1472 bytes, or spread by more addresses
-- not        A larger ring or backlog: the CPU stays at its limit, the wait only gets longer
-- ruled-out  receive work was spread over the CPUs, or none of them at its limit
-- ref        Documentation/networking/scaling.rst
WITH lossy AS (SELECT DISTINCT step FROM loss_step WHERE locus = 'nic' AND datagrams > 0),
work AS (
    SELECT cpu, SUM(processed) AS packets, SUM(time_squeeze) AS squeezes FROM softnet_step JOIN lossy USING (step)
           GROUP BY cpu),
time AS (
    SELECT cpu, 1.0 * SUM(softirq + irq) / NULLIF(ticks, 0) AS softirq_share, SUM(idle + iowait) AS idle, ticks
    FROM (SELECT *, SUM(user + nice + system + idle + iowait + irq + softirq + steal) OVER (PARTITION BY cpu)
        AS ticks
          FROM cpu_step JOIN lossy USING (step))
    GROUP BY cpu),
top AS (SELECT cpu, MAX(packets) AS packets, squeezes, (SELECT SUM(packets) FROM work) AS all_packets,
    COUNT(*) AS cpus FROM work),
worst AS (
    SELECT l.netns, l.interface,
           MAX(MAX(COALESCE(rx_missed_errors, 0), COALESCE(rx_fifo_errors, 0), COALESCE(ring_drops, 0))) AS lost,
           channels, channels_max
    FROM link l LEFT JOIN nic n USING (netns, interface) WHERE kind = '')
SELECT w.netns, w.interface, t.cpu, lost, :certain * packets / all_packets AS confidence,
       1.0 * packets / all_packets AS packet_share, packets, all_packets, softirq_share,
           NULLIF(squeezes, 0) AS squeezes,
       (SELECT GROUP_CONCAT(comm || ' (pid ' || pid || ')', ', ') FROM process WHERE role = 'owner' AND last_cpu = t.cpu) AS readers,
       (SELECT 1.0 * SUM(idle) / SUM(ticks) FROM time o WHERE o.cpu <> t.cpu) AS others_idle_share,
       channels, CASE WHEN channels < MIN(channels_max, cpus) THEN MIN(channels_max, cpus) END AS channels_max,
       'CPU|' || w.interface AS irq_pattern,
       CASE WHEN cpus < 63 AND COALESCE(channels, 1) = 1 THEN printf('%x', (1 << cpus) - 1) END AS mask,
       '/sys/class/net/' || w.interface || '/queues/rx-0/rps_cpus' AS rps_file
FROM top t JOIN time USING (cpu), worst w, window
WHERE kind <> 'since-boot' AND lost > 0 AND cpus > 1 AND packets >= :most * all_packets AND softirq_share >= :busy;
