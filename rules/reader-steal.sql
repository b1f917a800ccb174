-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       reader-steal
-- kind       cause
-- explains   socket-queue
-- severity   warning
-- title      The hypervisor takes the CPUs away while datagrams are lost{place}
-- needs      snmp.udp_rcvbuf_errors|snmp.udp6_rcvbuf_errors cpu.steal
-- param      certain = 0.7          the reader itself is not seen; a stolen CPU stops whoever runs on it
-- param      steal = 0.1            share of the CPU time of a step
-- param      least = 0.3            below it, it is no more than a guess
-- param      coincident = 0.6       share of the loss that must fall into such steps
-- param      elsewhere = 0.3        share of the loss-free steps that may be such steps as well
-- param      truesize = 2304         memory of one datagram of up to 1,472 bytes in the queue
-- evidence   steal_lossy_share ratio stolen {steal_lossy_share} of the CPU time in the steps with loss,
--            {steal_quiet_share} in the others
-- evidence   steal_only_share ratio stolen {steal_only_share} of the CPU time in these steps
-- evidence   coincident_share ratio {coincident_share} of the loss falls into these steps; of {quiet_steps}
--            loss-free steps {elsewhere_share} are like them
-- evidence   all_lossy steps {coincident_share} of the loss falls into these steps
-- against    all_lossy steps every step lost: there is none to compare with
-- do         Ask the provider for a less crowded host, or take an instance with CPUs of its own
-- do         Watch it (column st) || vmstat 1 10
-- not        A bigger buffer: should one socket take all {arrival_rate}, its {rmem_default_bytes} last
--            {hold_ms}; a stolen CPU is away as long as its host likes
-- not        Which socket and process: not judged, these are counters of the whole host. ss -uamnp names it
-- ruled-out  the hypervisor did not take the CPUs away in the steps with loss
-- ref        /proc/stat column 8; Documentation/filesystems/proc.rst
WITH mark AS (
    SELECT step, share, share >= :steal AS marked
    FROM (SELECT step, TOTAL(steal)
                 / NULLIF(TOTAL(user) + TOTAL(nice) + TOTAL(system) + TOTAL(idle) + TOTAL(iowait) + TOTAL(irq)
                     + TOTAL(softirq) + TOTAL(steal), 0) AS share
          FROM cpu_step GROUP BY step)),
told AS ( -- every step of every namespace that lost
    SELECT n.netns, s.step, s.seconds, COALESCE(l.datagrams, 0) AS lost, COALESCE(m.marked, 0) AS marked, m.share
    FROM step s, (SELECT DISTINCT netns FROM loss_step WHERE locus = 'socket-queue' AND datagrams > 0) n
    LEFT JOIN loss_step l ON l.step = s.step AND l.netns = n.netns AND l.locus = 'socket-queue'
    LEFT JOIN mark m ON m.step = s.step),
compared AS (
    SELECT netns, SUM(lost * marked) AS lost, 1.0 * SUM(lost * marked) / SUM(lost) AS coincident_share,
           SUM(lost > 0) AS lossy_steps, SUM(lost <= 0) AS quiet_steps,
           1.0 * SUM(lost <= 0 AND marked) / NULLIF(SUM(lost <= 0), 0) AS elsewhere_share,
           SUM(lost * share) / SUM(lost) AS steal_lossy_share,
               AVG(CASE WHEN lost <= 0 THEN share END) AS steal_quiet_share
    FROM told GROUP BY netns),
scored AS (
    SELECT *, :certain * coincident_share
           * (1 - 1.0 * (COALESCE(elsewhere_share, 0) * quiet_steps + 1) / (quiet_steps + 2))
           * lossy_steps / (lossy_steps + 0.5) AS confidence
    FROM compared),
arrival AS (
    SELECT netns, (TOTAL(udp_in_datagrams) + TOTAL(udp6_in_datagrams) + TOTAL(udp_rcvbuf_errors)
                   + TOTAL(udp6_rcvbuf_errors)) / SUM(seconds) AS arrival_rate
    FROM snmp_step JOIN (SELECT step, netns FROM loss_step WHERE locus = 'socket-queue' AND datagrams > 0)
    USING (step, netns) GROUP BY netns)
SELECT netns, lost, coincident_share, elsewhere_share, lossy_steps, quiet_steps, steal_lossy_share,
       CASE WHEN quiet_steps > 0 THEN COALESCE(steal_quiet_share, 0) END AS steal_quiet_share,
       confidence,
       CASE WHEN quiet_steps = 0 THEN steal_lossy_share END AS steal_only_share,
       CASE WHEN quiet_steps = 0 THEN lossy_steps END AS all_lossy,
       CASE WHEN arrival_rate > 0 THEN 1000.0 * rmem_default_bytes / (arrival_rate * :truesize) END AS hold_ms,
       rmem_default_bytes, arrival_rate, CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place
FROM scored LEFT JOIN arrival USING (netns)
LEFT JOIN (SELECT rmem_default_bytes FROM sysctl WHERE netns = 'host'), window
WHERE kind <> 'since-boot' AND coincident_share >= :coincident AND COALESCE(elsewhere_share, 0) <= :elsewhere
    AND confidence >= :least;
