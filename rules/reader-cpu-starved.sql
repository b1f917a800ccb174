-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       reader-cpu-starved
-- kind       cause
-- explains   socket-queue
-- after      reader-steal reader-swapping
-- severity   warning
-- title      All CPUs are busy and programs wait for them while datagrams are lost{place}
-- needs      snmp.udp_rcvbuf_errors|snmp.udp6_rcvbuf_errors cpu.idle
-- param      certain = 0.65         whether the reader is among those that wait is not seen
-- param      unseen = 0.6           the factor where this kernel does not tell whether anything waited
-- param      busy = 0.95            share of the CPU time of a step that all CPUs together were busy
-- param      waiting = 0.2          share of a step in which at least one program waited for a CPU
-- param      least = 0.3            below it, it is no more than a guess
-- param      coincident = 0.6       share of the loss that must fall into such steps
-- param      elsewhere = 0.3        share of the loss-free steps that may be such steps as well
-- param      truesize = 2304         memory of one datagram of up to 1,472 bytes in the queue
-- evidence   busy_lossy_share ratio all CPUs {busy_lossy_share} busy in the steps with loss,
--            {busy_quiet_share} in the others
-- evidence   wait_lossy_share ratio somebody waited for a CPU {wait_lossy_share} of those steps,
--            {wait_quiet_share} of the others
-- evidence   busy_only_share ratio all CPUs {busy_only_share} busy in these steps
-- evidence   wait_only_share ratio somebody waited for a CPU {wait_only_share} of them
-- evidence   coincident_share ratio {coincident_share} of the loss falls into these steps; of {quiet_steps}
--            loss-free steps {elsewhere_share} are like them
-- evidence   all_lossy steps {coincident_share} of the loss falls into these steps
-- against    all_lossy steps every step lost: there is none to compare with
-- against    unknown_waiting flag no /proc/pressure here: whether anything waited for a CPU is not known
-- do         See who runs, and who waits (PID of the reader from ss -uamnp) || pidstat -u -t 1 5
-- do         Give the reader's unit precedence || systemctl set-property --runtime UNIT CPUWeight=1000 ||
--            systemctl set-property --runtime UNIT CPUWeight=
-- do         Or move the hog away, or limit it || systemctl set-property --runtime HOG CPUQuota=50% ||
--            systemctl set-property --runtime HOG CPUQuota=
-- not        A bigger buffer: should one socket take all {arrival_rate}, its {rmem_default_bytes} last
--            {hold_ms}; a program waits for a CPU far longer
-- not        Which socket and process: not judged, these are counters of the whole host. ss -uamnp names it
-- ruled-out  the CPUs were not all busy with programs waiting in the steps with loss
-- ref        Documentation/accounting/psi.rst: some total of cpu
WITH waited AS ( -- no row: nothing waited, where this kernel tells at all
    SELECT s.step, 1.0 * COALESCE(some_total_us, (SELECT 0 FROM pressure WHERE resource = 'cpu'))
           / (s.seconds * 1000000) AS wait_share
    FROM step s LEFT JOIN pressure_step p ON p.step = s.step AND p.resource = 'cpu'),
mark AS (
    SELECT step, share, wait_share, share >= :busy AND COALESCE(wait_share, 1) >= :waiting AS marked
    FROM step LEFT JOIN (SELECT step, 1 - (TOTAL(idle) + TOTAL(iowait) + TOTAL(steal))
                 / NULLIF(TOTAL(user) + TOTAL(nice) + TOTAL(system) + TOTAL(idle) + TOTAL(iowait) + TOTAL(irq)
                     + TOTAL(softirq) + TOTAL(steal), 0) AS share
          FROM cpu_step GROUP BY step) USING (step) LEFT JOIN waited USING (step)),
told AS ( -- every step of every namespace that lost
    SELECT n.netns, s.step, s.seconds, COALESCE(l.datagrams, 0) AS lost, COALESCE(m.marked, 0) AS marked, m.share,
           m.wait_share
    FROM step s, (SELECT DISTINCT netns FROM loss_step WHERE locus = 'socket-queue' AND datagrams > 0) n
    LEFT JOIN loss_step l ON l.step = s.step AND l.netns = n.netns AND l.locus = 'socket-queue'
    LEFT JOIN mark m ON m.step = s.step),
compared AS (
    SELECT netns, SUM(lost * marked) AS lost, 1.0 * SUM(lost * marked) / SUM(lost) AS coincident_share,
           SUM(lost > 0) AS lossy_steps, SUM(lost <= 0) AS quiet_steps,
           1.0 * SUM(lost <= 0 AND marked) / NULLIF(SUM(lost <= 0), 0) AS elsewhere_share,
           SUM(lost * share) / SUM(lost) AS busy_lossy_share,
               AVG(CASE WHEN lost <= 0 THEN share END) AS busy_quiet_share,
           SUM(lost * wait_share) / SUM(lost) AS wait_lossy_share,
               AVG(CASE WHEN lost <= 0 THEN wait_share END) AS wait_quiet_share
    FROM told GROUP BY netns),
scored AS (
    SELECT *, CASE WHEN wait_lossy_share IS NULL THEN :unseen ELSE 1 END *
           :certain * coincident_share
               * (1 - 1.0 * (COALESCE(elsewhere_share, 0) * quiet_steps + 1) / (quiet_steps + 2))
           * lossy_steps / (lossy_steps + 0.5) AS confidence
    FROM compared),
arrival AS (
    SELECT netns, (TOTAL(udp_in_datagrams) + TOTAL(udp6_in_datagrams) + TOTAL(udp_rcvbuf_errors)
                   + TOTAL(udp6_rcvbuf_errors)) / SUM(seconds) AS arrival_rate
    FROM snmp_step JOIN (SELECT step, netns FROM loss_step WHERE locus = 'socket-queue' AND datagrams > 0)
    USING (step, netns) GROUP BY netns)
SELECT netns, lost, coincident_share, elsewhere_share, lossy_steps, quiet_steps, busy_lossy_share,
       CASE WHEN quiet_steps > 0 THEN COALESCE(busy_quiet_share, 0) END AS busy_quiet_share, wait_lossy_share,
           CASE WHEN quiet_steps > 0 THEN COALESCE(wait_quiet_share, 0) END AS wait_quiet_share,
       CASE WHEN wait_lossy_share IS NULL THEN 1 END AS unknown_waiting,
       confidence,
       CASE WHEN quiet_steps = 0 THEN busy_lossy_share END AS busy_only_share,
       CASE WHEN quiet_steps = 0 THEN wait_lossy_share END AS wait_only_share,
       CASE WHEN quiet_steps = 0 THEN lossy_steps END AS all_lossy,
       CASE WHEN arrival_rate > 0 THEN 1000.0 * rmem_default_bytes / (arrival_rate * :truesize) END AS hold_ms,
       rmem_default_bytes, arrival_rate, CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place
FROM scored LEFT JOIN arrival USING (netns)
LEFT JOIN (SELECT rmem_default_bytes FROM sysctl WHERE netns = 'host'), window
WHERE kind <> 'since-boot' AND coincident_share >= :coincident AND COALESCE(elsewhere_share, 0) <= :elsewhere
    AND confidence >= :least;
