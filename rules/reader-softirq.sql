-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       reader-softirq
-- kind       cause
-- explains   socket-queue
-- after      reader-stopped reader-throttled
-- severity   warning
-- title      Packet reception itself fills {a_cpu}{meanwhile}{place}
-- needs      snmp.udp_rcvbuf_errors|snmp.udp6_rcvbuf_errors cpu.softirq
-- when       EXISTS (SELECT 1 FROM stall WHERE kind = 'softirq')
--            OR EXISTS (SELECT 1 FROM unseen_step WHERE lost > 0 AND softirq_share >= :softirq)
-- param      certain = 0.88         of a reader whose CPU is seen
-- param      indirect = 0.5         on which CPU the reader runs is not seen
-- param      softirq = 0.5          share of one CPU's time in a step
-- param      external = 0.5         share of the arrivals that came in from outside; of local traffic the
--            sender pays the softirq
-- param      least = 0.3            below it, it is no more than a guess
-- param      coincident = 0.6       share of the loss that must fall into such steps
-- param      elsewhere = 0.3        share of the loss-free steps that may be such steps as well
-- param      apart = 0.6           the same for a reader whose CPU is seen
-- evidence   lossy_share ratio CPU {lossy_cpu}, where it reads, spends {lossy_share} in softirq in the steps with
--            loss{others}
-- evidence   run_share ratio it seems to run {run_share} of the time: softirq is charged to whom it interrupts
-- evidence   idle_share ratio the CPUs together are idle {idle_share} then
-- evidence   softirq_lossy_share ratio CPU {busiest_cpu} spends {softirq_lossy_share} in softirq in the steps
--            with loss, {softirq_quiet_share} in the others
-- evidence   softirq_only_share ratio CPU {busiest_cpu} spends {softirq_only_share} in softirq in these steps
-- evidence   coincident_share ratio {coincident_share} of the loss falls into these steps; of {quiet_steps}
--            loss-free steps {elsewhere_share} are like them
-- evidence   all_lossy steps {coincident_share} of the loss falls into these steps
-- evidence   owner_names - the socket is held by {owner_names}
-- against    unknown_rest steps every step lost: there is none to compare with
-- do         Keep it off that CPU || taskset -acp {free_cpus} {reader_pid} || taskset -acp {allowed_cpus} {reader_pid}
-- do         See whether the reader runs there: column psr, PID from ss -uamnp{blind} ||
--            ps -L -o tid,psr,pcpu,comm -p PID
-- do         If so, keep it off that CPU, for instance{blind} || taskset -acp {other_cpus} PID ||
--            taskset -acp {all_cpus} PID
-- do         Or move the adapter's interrupts: these are its lines || grep -E {irq_pattern} /proc/interrupts
-- not        reader-cpu-bound: softirq is charged to whom it interrupts, so a reader there looks busy by itself
-- not        A bigger buffer: should one socket take all {all_rate}, its {all_buffer_bytes} last
--            {all_hold_ms}; as long as that CPU is full, it fills
-- not        A bigger buffer: as long as that CPU is full, less is read than comes; at {lost_rate} too many its
--            {rcvbuf_bytes} last {fill_ms}
-- not        {no_process}
-- ruled-out  no CPU of a reader was filled by softirq in the steps with loss
-- ref        /proc/stat softirq; without IRQ_TIME_ACCOUNTING it is part of the run time of the interrupted
--            process
WITH seen AS (
    SELECT * FROM stall JOIN receiver USING (receiver) JOIN lossy_mean USING (receiver)
    WHERE kind = 'softirq' AND coincident_share >= :coincident AND COALESCE(elsewhere_share, 0) <= :apart
        AND COALESCE(run_share, 1) >= 0.3),
compared AS (
    SELECT unseen, SUM(u.lost * COALESCE(marked, 0)) AS part, SUM(u.lost) AS lost,
           1.0 * SUM(u.lost * COALESCE(marked, 0)) / SUM(u.lost) AS coincident_share,
           SUM(u.lost > 0) AS lossy_steps, SUM(u.lost <= 0) AS quiet_steps,
           1.0 * SUM(u.lost <= 0 AND COALESCE(marked, 0)) / NULLIF(SUM(u.lost <= 0), 0) AS elsewhere_share,
           SUM(u.lost * share) / SUM(u.lost) AS softirq_lossy_share,
           AVG(CASE WHEN u.lost <= 0 THEN share END) AS softirq_quiet_share
    FROM (SELECT *, softirq_share AS share, softirq_share >= :softirq AS marked FROM unseen_step) u GROUP BY unseen HAVING SUM(u.lost) > 0),
outside AS (
    SELECT SUM(rx_packets) / SUM(seconds) AS external_rate, interface, MAX(rx_packets)
    FROM link_step JOIN (SELECT DISTINCT step FROM loss_step WHERE locus = 'socket-queue'
        AND datagrams > 0) USING (step)
    WHERE kind = '' AND interface <> 'lo'),
busiest AS (
    SELECT cpu AS busiest_cpu, MAX(n) FROM (
        SELECT cpu, COUNT(*) AS n FROM host_step h JOIN cpu_step c ON c.step = h.step
        WHERE softirq_share >= :softirq
            AND h.step IN (SELECT step FROM loss_step WHERE locus = 'socket-queue' AND datagrams > 0)
            AND (COALESCE(softirq, 0) + COALESCE(irq, 0)) / (0.0 + COALESCE(user, 0) + COALESCE(nice, 0) + COALESCE(system, 0)
                + COALESCE(idle, 0) + COALESCE(iowait, 0) + COALESCE(irq, 0) + COALESCE(softirq, 0) + COALESCE(steal, 0))
                = softirq_share GROUP BY cpu)),
blind AS (
    SELECT c.*, u.netns, u.address, u.port, u.arrival_rate, u.buffer_bytes, u.hold_ms, u.meanwhile, u.no_process,
           u.place,
           busiest_cpu, :indirect * coincident_share
               * (1 - 1.0 * (COALESCE(elsewhere_share, 0) * quiet_steps + 1) / (quiet_steps + 2))
               * lossy_steps / (lossy_steps + 0.5) AS confidence
    FROM compared c JOIN unseen u USING (unseen), outside, busiest, window
    WHERE kind <> 'since-boot' AND coincident_share >= :coincident AND COALESCE(elsewhere_share, 0) <= :elsewhere
        AND COALESCE(external_rate, arrival_rate) >= :external * arrival_rate
        AND confidence >= :least),
cases AS (SELECT receiver, NULL AS unseen FROM seen UNION ALL SELECT NULL, unseen FROM blind)
SELECT COALESCE(s.netns, b.netns) AS netns, COALESCE(s.address, b.address) AS address, COALESCE(s.port, b.port) AS port,
       process, pid, unit, container, COALESCE(s.lost, b.part) AS lost, subject_lost,
       COALESCE(:certain * fit, confidence) AS confidence,
       COALESCE('the CPU of ' || reader, 'a CPU') AS a_cpu, COALESCE(b.meanwhile, '') AS meanwhile,
       COALESCE(s.place, b.place) AS place, lossy_cpu, lossy_share, others, run_share, idle_share, owner_names,
       softirq_lossy_share, CASE WHEN b.quiet_steps > 0 THEN COALESCE(softirq_quiet_share,
           0) END AS softirq_quiet_share,
       CASE WHEN b.quiet_steps = 0 THEN softirq_lossy_share END AS softirq_only_share, busiest_cpu, rcvbuf_bytes,
           lost_rate,
       1000.0 * rcvbuf_bytes / (truesize * lost_rate) AS fill_ms,
       COALESCE(s.coincident_share, b.coincident_share) AS coincident_share, COALESCE(s.quiet_steps,
           b.quiet_steps) AS quiet_steps,
       CASE WHEN COALESCE(s.quiet_steps, b.quiet_steps) > 0 THEN COALESCE(s.elsewhere_share, b.elsewhere_share) END
           AS elsewhere_share,
       CASE WHEN COALESCE(s.quiet_steps, b.quiet_steps) = 0 THEN COALESCE(s.lossy_steps,
           b.lossy_steps) END AS all_lossy,
       CASE WHEN b.quiet_steps = 0 THEN b.lossy_steps END AS unknown_rest, no_process, b.arrival_rate AS all_rate,
       b.buffer_bytes AS all_buffer_bytes, b.hold_ms AS all_hold_ms, CASE WHEN b.unseen IS NOT NULL THEN ''
           END AS blind,
       pid AS reader_pid, COALESCE(cpus_allowed, (SELECT GROUP_CONCAT(cpu) FROM cpu)) AS allowed_cpus,
       (SELECT GROUP_CONCAT(cpu) FROM cpu WHERE cpu <> s.lossy_cpu) AS free_cpus,
       (SELECT GROUP_CONCAT(cpu) FROM cpu WHERE cpu <> busiest_cpu) AS other_cpus,
       (SELECT GROUP_CONCAT(cpu) FROM cpu) AS all_cpus, (SELECT 'CPU|' || interface FROM outside) AS irq_pattern
FROM cases LEFT JOIN seen s USING (receiver) LEFT JOIN blind b USING (unseen);
