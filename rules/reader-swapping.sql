-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       reader-swapping
-- kind       cause
-- explains   socket-queue
-- severity   warning
-- title      Programs wait for memory from swap or disk while datagrams are lost{place}
-- needs      snmp.udp_rcvbuf_errors|snmp.udp6_rcvbuf_errors memory.pgmajfault
-- param      certain = 0.75         whether it is the reader's memory is not seen
-- param      pages = 50             pages a second brought back, from swap or as major faults
-- param      stalled = 0.1          share of a step in which a program waited for memory: faults alone lose
--            nothing
-- param      unseen = 0.6           the factor where this kernel does not tell how long it waited
-- param      least = 0.3            below it, it is no more than a guess
-- param      coincident = 0.6       share of the loss that must fall into such steps
-- param      elsewhere = 0.3        share of the loss-free steps that may be such steps as well
-- param      truesize = 2304         memory of one datagram of up to 1,472 bytes in the queue
-- evidence   swapin_lossy_rate pages/s {swapin_lossy_rate} pages came back from swap in the steps with loss,
--            {swapin_quiet_rate} in the others
-- evidence   fault_lossy_rate faults/s {fault_lossy_rate} major faults in the steps with loss,
--            {fault_quiet_rate} in the others
-- evidence   stall_lossy_share ratio waiting for memory {stall_lossy_share} of those steps,
--            {stall_quiet_share} of the others
-- evidence   swapin_only_rate pages/s {swapin_only_rate} pages came back from swap in these steps
-- evidence   stall_only_share ratio waiting for memory {stall_only_share} of them
-- evidence   coincident_share ratio {coincident_share} of the loss falls into these steps; of {quiet_steps}
--            loss-free steps {elsewhere_share} are like them
-- evidence   all_lossy steps {coincident_share} of the loss falls into these steps
-- against    all_lossy steps every step lost: there is none to compare with
-- evidence   available_bytes bytes available memory {available_bytes} of {total_bytes}
-- against    unknown_stall flag no /proc/pressure here: how long programs waited for memory is not known
-- do         See who faults (majflt/s; the reader's PID from ss -uamnp) || pidstat -r 1 10
-- do         Keep the reader's memory in RAM || systemctl set-property --runtime UNIT MemoryLow=SIZE ||
--            systemctl set-property --runtime UNIT MemoryLow=0
-- do         Free memory, or add some; a program may also lock its own (mlockall)
-- not        A bigger buffer: should one socket take all {arrival_rate}, its {rmem_default_bytes} last
--            {hold_ms}; a page from swap may take longer, and a bigger buffer takes memory too
-- not        Which socket and process: not judged, these are counters of the whole host. ss -uamnp names it
-- ruled-out  no program waited for memory in the steps with loss
-- ref        /proc/vmstat pswpin, pgmajfault; Documentation/accounting/psi.rst: some total of memory
WITH waited AS ( -- no row: nothing waited, where this kernel tells at all
    SELECT s.step, 1.0 * COALESCE(some_total_us, (SELECT 0 FROM pressure WHERE resource = 'memory'))
           / (s.seconds * 1000000) AS stall_share
    FROM step s LEFT JOIN pressure_step p ON p.step = s.step AND p.resource = 'memory'),
mark AS (
    SELECT step, swapin_rate, fault_rate, stall_share, CASE WHEN stall_share IS NULL THEN swapin_rate >= :pages
           ELSE MAX(COALESCE(swapin_rate, 0), fault_rate) >= :pages AND stall_share >= :stalled END AS marked
    FROM (SELECT step, pswpin / seconds AS swapin_rate, pgmajfault / seconds AS fault_rate FROM memory_step)
    LEFT JOIN waited USING (step)),
told AS ( -- every step of every namespace that lost
    SELECT n.netns, s.step, s.seconds, COALESCE(l.datagrams, 0) AS lost, COALESCE(m.marked, 0) AS marked,
           m.swapin_rate, m.fault_rate, m.stall_share
    FROM step s, (SELECT DISTINCT netns FROM loss_step WHERE locus = 'socket-queue' AND datagrams > 0) n
    LEFT JOIN loss_step l ON l.step = s.step AND l.netns = n.netns AND l.locus = 'socket-queue'
    LEFT JOIN mark m ON m.step = s.step),
compared AS (
    SELECT netns, SUM(lost * marked) AS lost, 1.0 * SUM(lost * marked) / SUM(lost) AS coincident_share,
           SUM(lost > 0) AS lossy_steps, SUM(lost <= 0) AS quiet_steps,
           1.0 * SUM(lost <= 0 AND marked) / NULLIF(SUM(lost <= 0), 0) AS elsewhere_share,
           1.0 * SUM(lost * swapin_rate) / SUM(lost) AS swapin_lossy_rate,
               AVG(CASE WHEN lost <= 0 THEN swapin_rate END) AS swapin_quiet_rate,
           1.0 * SUM(lost * fault_rate) / SUM(lost) AS fault_lossy_rate,
               AVG(CASE WHEN lost <= 0 THEN fault_rate END) AS fault_quiet_rate,
           SUM(lost * stall_share) / SUM(lost) AS stall_lossy_share,
               AVG(CASE WHEN lost <= 0 THEN stall_share END) AS stall_quiet_share
    FROM told GROUP BY netns),
scored AS (
    SELECT *, CASE WHEN stall_lossy_share IS NULL THEN :unseen ELSE 1 END *
           :certain * coincident_share
               * (1 - 1.0 * (COALESCE(elsewhere_share, 0) * quiet_steps + 1) / (quiet_steps + 2))
           * lossy_steps / (lossy_steps + 0.5) AS confidence
    FROM compared),
arrival AS (
    SELECT netns, (TOTAL(udp_in_datagrams) + TOTAL(udp6_in_datagrams) + TOTAL(udp_rcvbuf_errors)
                   + TOTAL(udp6_rcvbuf_errors)) / SUM(seconds) AS arrival_rate
    FROM snmp_step JOIN (SELECT step, netns FROM loss_step WHERE locus = 'socket-queue' AND datagrams > 0)
    USING (step, netns) GROUP BY netns)
SELECT netns, lost, coincident_share, elsewhere_share, lossy_steps, quiet_steps, swapin_lossy_rate,
       CASE WHEN quiet_steps > 0 THEN COALESCE(swapin_quiet_rate, 0) END AS swapin_quiet_rate, fault_lossy_rate,
           CASE WHEN quiet_steps > 0 THEN COALESCE(fault_quiet_rate, 0) END AS fault_quiet_rate,
       stall_lossy_share, CASE WHEN quiet_steps > 0 THEN COALESCE(stall_quiet_share, 0) END AS stall_quiet_share,
           total_bytes, available_bytes,
       CASE WHEN stall_lossy_share IS NULL THEN 1 END AS unknown_stall,
       confidence,
       CASE WHEN quiet_steps = 0 THEN swapin_lossy_rate END AS swapin_only_rate,
       CASE WHEN quiet_steps = 0 THEN stall_lossy_share END AS stall_only_share,
       CASE WHEN quiet_steps = 0 THEN lossy_steps END AS all_lossy,
       CASE WHEN arrival_rate > 0 THEN 1000.0 * rmem_default_bytes / (arrival_rate * :truesize) END AS hold_ms,
       rmem_default_bytes, arrival_rate, CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place
FROM scored, memory LEFT JOIN arrival USING (netns)
LEFT JOIN (SELECT rmem_default_bytes FROM sysctl WHERE netns = 'host'), window
WHERE kind <> 'since-boot' AND coincident_share >= :coincident AND COALESCE(elsewhere_share, 0) <= :elsewhere
    AND confidence >= :least;
