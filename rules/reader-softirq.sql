-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       reader-softirq
-- kind       cause
-- explains   socket-queue
-- severity   warning
-- title      Packet reception itself fills a CPU while datagrams are lost{place}
-- needs      snmp.udp_rcvbuf_errors|snmp.udp6_rcvbuf_errors cpu.softirq
-- param      certain = 0.5          on which CPU the reader runs is not seen
-- param      softirq = 0.5          share of one CPU's time in a step
-- param      external = 0.5         share of the arrivals that came in from outside; of local traffic the
--            sender pays the softirq
-- param      least = 0.3            below it, it is no more than a guess
-- param      coincident = 0.6       share of the loss that must fall into such steps
-- param      elsewhere = 0.3        share of the loss-free steps that may be such steps as well
-- param      truesize = 2304         memory of one datagram of up to 1,472 bytes in the queue
-- evidence   softirq_lossy_share ratio CPU {busiest_cpu} spends {softirq_lossy_share} in softirq in the steps
--            with loss, {softirq_quiet_share} in the others
-- evidence   softirq_only_share ratio CPU {busiest_cpu} spends {softirq_only_share} in softirq in these steps
-- evidence   coincident_share ratio {coincident_share} of the loss falls into these steps; of {quiet_steps}
--            loss-free steps {elsewhere_share} are like them
-- evidence   all_lossy steps {coincident_share} of the loss falls into these steps
-- against    all_lossy steps every step lost: there is none to compare with
-- do         See whether the reader runs there: column psr, PID from ss -uamnp ||
--            ps -L -o tid,psr,pcpu,comm -p PID
-- do         If so, keep it off that CPU, for instance || taskset -acp {other_cpus} PID ||
--            taskset -acp {all_cpus} PID
-- do         Or move the adapter's interrupts: these are its lines || grep -E {irq_pattern} /proc/interrupts
-- not        reader-cpu-bound: softirq is charged to whom it interrupts, so a reader there looks busy by itself
-- not        A bigger buffer: should one socket take all {arrival_rate}, its {rmem_default_bytes} last
--            {hold_ms}; as long as that CPU is full, it fills
-- not        Which socket and process: not judged, these are counters of the whole host. ss -uamnp names it
-- ruled-out  no CPU was filled by softirq in the steps with loss
-- ref        /proc/stat softirq; without IRQ_TIME_ACCOUNTING it is part of the run time of the interrupted
--            process
WITH mark AS (
    SELECT step, cpu, MAX(share) AS share, share >= :softirq AS marked
    FROM (SELECT step, cpu, (TOTAL(softirq) + TOTAL(irq))
                 / NULLIF(TOTAL(user) + TOTAL(nice) + TOTAL(system) + TOTAL(idle) + TOTAL(iowait) + TOTAL(irq)
                     + TOTAL(softirq) + TOTAL(steal), 0) AS share
          FROM cpu_step GROUP BY step, cpu)
    GROUP BY step),
told AS ( -- every step of every namespace that lost
    SELECT n.netns, s.step, s.seconds, COALESCE(l.datagrams, 0) AS lost, COALESCE(m.marked, 0) AS marked, m.share
    FROM step s, (SELECT DISTINCT netns FROM loss_step WHERE locus = 'socket-queue' AND datagrams > 0) n
    LEFT JOIN loss_step l ON l.step = s.step AND l.netns = n.netns AND l.locus = 'socket-queue'
    LEFT JOIN mark m ON m.step = s.step),
compared AS (
    SELECT netns, SUM(lost * marked) AS lost, 1.0 * SUM(lost * marked) / SUM(lost) AS coincident_share,
           SUM(lost > 0) AS lossy_steps, SUM(lost <= 0) AS quiet_steps,
           1.0 * SUM(lost <= 0 AND marked) / NULLIF(SUM(lost <= 0), 0) AS elsewhere_share,
           SUM(lost * share) / SUM(lost) AS softirq_lossy_share,
               AVG(CASE WHEN lost <= 0 THEN share END) AS softirq_quiet_share
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
    USING (step, netns) GROUP BY netns),
outside AS (
    SELECT SUM(rx_packets) / SUM(seconds) AS external_rate, interface, MAX(rx_packets)
    FROM link_step JOIN (SELECT DISTINCT step FROM loss_step WHERE locus = 'socket-queue'
        AND datagrams > 0) USING (step)
    WHERE kind = '' AND interface <> 'lo'),
busiest AS (
    SELECT cpu AS busiest_cpu, MAX(n) FROM (
        SELECT cpu, COUNT(*) AS n FROM mark JOIN loss_step USING (step)
        WHERE locus = 'socket-queue' AND datagrams > 0 AND marked GROUP BY cpu))
SELECT netns, lost, coincident_share, elsewhere_share, lossy_steps, quiet_steps, softirq_lossy_share,
       CASE WHEN quiet_steps > 0 THEN COALESCE(softirq_quiet_share, 0) END AS softirq_quiet_share, busiest_cpu,
           'CPU|' || interface AS irq_pattern,
       (SELECT GROUP_CONCAT(cpu) FROM cpu WHERE cpu <> busiest_cpu) AS other_cpus,
       (SELECT GROUP_CONCAT(cpu) FROM cpu) AS all_cpus,
       confidence,
       CASE WHEN quiet_steps = 0 THEN softirq_lossy_share END AS softirq_only_share,
       CASE WHEN quiet_steps = 0 THEN lossy_steps END AS all_lossy,
       CASE WHEN arrival_rate > 0 THEN 1000.0 * rmem_default_bytes / (arrival_rate * :truesize) END AS hold_ms,
       rmem_default_bytes, arrival_rate, CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place
FROM scored, outside, busiest LEFT JOIN arrival USING (netns)
LEFT JOIN (SELECT rmem_default_bytes FROM sysctl WHERE netns = 'host'), window
WHERE kind <> 'since-boot' AND coincident_share >= :coincident
    AND COALESCE(external_rate, arrival_rate) >= :external * arrival_rate
        AND COALESCE(elsewhere_share, 0) <= :elsewhere
    AND confidence >= :least;
