-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       reader-swapping
-- kind       cause
-- explains   socket-queue
-- after      reader-stopped
-- severity   warning
-- title      {reader_waits} for memory from swap or disk{meanwhile}{place}
-- needs      snmp.udp_rcvbuf_errors|snmp.udp6_rcvbuf_errors memory.pgmajfault|memory.pswpin
-- when       EXISTS (SELECT 1 FROM stall WHERE kind = 'swap') OR EXISTS (SELECT 1 FROM unseen_step WHERE lost > 0
--            AND (swapin_rate >= :pages OR page_rate >= :pages))
-- param      certain = 0.93        of a reader whose own waiting is seen
-- param      indirect = 0.75       whether it is the reader's memory is not seen
-- param      pages = 50             pages a second brought back, from swap or as major faults
-- param      stalled = 0.1          share of a step in which a program waited for memory: faults alone lose
--            nothing
-- param      unseen = 0.6           the factor where this kernel does not tell how long it waited
-- param      least = 0.3            below it, it is no more than a guess
-- param      single = 0.35         of one or two steps without any to compare with, that were much like that
-- param      much = 10              times so many pages in such steps
-- param      coincident = 0.6       share of the loss that must fall into such steps
-- param      part = 0.25           the same for a reader whose own waiting is seen: another cause may have the rest
-- param      elsewhere = 0.3        share of the loss-free steps that may be such steps as well
-- param      apart = 0.6            the same for a reader whose own waiting is seen
-- param      near = 0.95           of a group's memory limit
-- evidence   lossy_share ratio waiting for memory {lossy_share} of the time in the steps with loss{others}
-- evidence   fault_rate faults/s {fault_rate} major faults of its own in these steps{stands_in}
-- evidence   limit_bytes bytes {group} holds {current_bytes} of the {limit_bytes} it may have
-- evidence   limit_events events it ran into that limit {limit_events} times
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
-- evidence   available_bytes bytes available memory {available_bytes} of {total_bytes}
-- evidence   owner_names - the socket is held by {owner_names}
-- against    unknown_rest steps every step lost: there is none to compare with
-- against    unknown_stall flag no /proc/pressure here: how long programs waited for memory is not known
-- do         Raise the memory limit of {group} || systemctl set-property {limit_unit} {limit_word:raw}={new_bytes:raw} ||
--            systemctl set-property {limit_unit} {limit_word:raw}={limit_bytes:raw}
-- do         Raise the memory limit of {group} to {new_bytes}{no_unit}
-- do         Keep its memory in RAM || systemctl set-property --runtime {own_unit} MemoryLow={keep_bytes:raw} ||
--            systemctl set-property --runtime {own_unit} MemoryLow=0
-- do         It may also lock its memory (mlockall) and set its buffers up in advance{seen}
-- do         Free memory on the host, or add some{host_short}
-- do         See who faults (majflt/s; the reader's PID from ss -uamnp){blind} || pidstat -r 1 10
-- do         Keep the reader's memory in RAM{blind} || systemctl set-property --runtime UNIT MemoryLow=SIZE ||
--            systemctl set-property --runtime UNIT MemoryLow=0
-- do         Free memory, or add some; a program may also lock its own (mlockall){blind}
-- not        A bigger buffer: at {arrival_rate} its {rcvbuf_bytes} last {hold_ms}, the stalls up to {longest_ms}; and
--            it takes memory too
-- not        A bigger buffer: should one socket take all {all_rate}, its {all_buffer_bytes} last
--            {all_hold_ms}; a page from swap may take longer, and a bigger buffer takes memory too
-- not        {no_process}
-- ruled-out  no program waited for memory in the steps with loss
-- ref        /proc/vmstat pswpin, pgmajfault; Documentation/accounting/psi.rst: some total of memory
WITH limits AS ( -- the group that the memory limit stops, nearest first
    SELECT r.receiver, c.path, NULLIF(c.unit, '') AS group_unit, c.memory_current_bytes_max AS current_bytes,
           COALESCE(c.memory_high_bytes, c.memory_max_bytes) AS limit_bytes,
           CASE WHEN c.memory_high_bytes IS NOT NULL THEN 'MemoryHigh' ELSE 'MemoryMax' END AS limit_word,
           COALESCE(c.memory_high_events, 0) + COALESCE(c.memory_max_events, 0) AS limit_events,
           ROW_NUMBER() OVER (PARTITION BY r.receiver ORDER BY length(c.path) DESC) AS place
    FROM receiver r JOIN cgroup c ON substr(r.memory_cgroup || '/', 1, length(c.path) + 1) = c.path || '/'
    WHERE COALESCE(c.memory_high_events, 0) + COALESCE(c.memory_max_events, 0) > 0
        OR c.memory_current_bytes_max >= :near * COALESCE(c.memory_high_bytes, c.memory_max_bytes)),
seen AS (
    SELECT * FROM stall JOIN receiver USING (receiver) JOIN lossy_mean USING (receiver)
    LEFT JOIN (SELECT receiver, path, group_unit, current_bytes, limit_bytes, limit_word, limit_events FROM limits
               WHERE place = 1) USING (receiver)
    WHERE kind = 'swap' AND coincident_share >= :part AND COALESCE(elsewhere_share, 0) <= :apart),
marked_step AS (
    SELECT *, memory_wait_share AS stall_share, CASE WHEN memory_wait_share IS NULL THEN swapin_rate >= :pages
           ELSE MAX(COALESCE(swapin_rate, 0), page_rate) >= :pages AND memory_wait_share >= :stalled END AS marked
    FROM unseen_step),
compared AS (
    SELECT unseen, SUM(u.lost * COALESCE(marked, 0)) AS part, SUM(u.lost) AS lost,
           1.0 * SUM(u.lost * COALESCE(marked, 0)) / SUM(u.lost) AS coincident_share,
           SUM(u.lost > 0) AS lossy_steps, SUM(u.lost <= 0) AS quiet_steps,
           1.0 * SUM(u.lost <= 0 AND COALESCE(marked, 0)) / NULLIF(SUM(u.lost <= 0), 0) AS elsewhere_share,
           1.0 * SUM(u.lost * swapin_rate) / SUM(u.lost) AS swapin_lossy_rate,
           AVG(CASE WHEN u.lost <= 0 THEN swapin_rate END) AS swapin_quiet_rate,
           1.0 * SUM(u.lost * page_rate) / SUM(u.lost) AS fault_lossy_rate,
           AVG(CASE WHEN u.lost <= 0 THEN page_rate END) AS fault_quiet_rate,
           SUM(u.lost * stall_share) / SUM(u.lost) AS stall_lossy_share,
           AVG(CASE WHEN u.lost <= 0 THEN stall_share END) AS stall_quiet_share
    FROM marked_step u GROUP BY unseen HAVING SUM(u.lost) > 0),
blind AS (
    SELECT c.*, u.netns, u.address, u.port, u.arrival_rate, u.buffer_bytes, u.hold_ms, u.meanwhile, u.no_process,
           u.place,
           MAX(CASE WHEN stall_lossy_share IS NULL THEN :unseen ELSE 1 END * :indirect * coincident_share
               * (1 - 1.0 * (COALESCE(elsewhere_share, 0) * quiet_steps + 1) / (quiet_steps + 2))
               * lossy_steps / (lossy_steps + 0.5), CASE WHEN quiet_steps = 0 AND lossy_steps < 3
               AND swapin_lossy_rate >= :much * :pages THEN :single * coincident_share ELSE 0 END) AS confidence
    FROM compared c JOIN unseen u USING (unseen), window
    WHERE kind <> 'since-boot' AND coincident_share >= :coincident AND COALESCE(elsewhere_share, 0) <= :elsewhere
        AND confidence >= :least),
cases AS (SELECT receiver, NULL AS unseen FROM seen UNION ALL SELECT NULL, unseen FROM blind)
SELECT COALESCE(s.netns, b.netns) AS netns, COALESCE(s.address, b.address) AS address, COALESCE(s.port, b.port) AS port,
       process, pid, unit, container, COALESCE(s.lost, b.part) AS lost, subject_lost,
       COALESCE(:certain * fit * MIN(1, 0.75 + lossy_share), confidence) AS confidence,
       COALESCE(reader || ' waits', 'Programs wait') AS reader_waits, COALESCE(b.meanwhile, '') AS meanwhile,
       COALESCE(s.place, b.place) AS place, lossy_share, others, fault_rate, COALESCE('; it waits in ' || stands_in,
           '') AS stands_in,
       COALESCE(group_unit, path) AS "group", current_bytes, limit_bytes, limit_word, NULLIF(limit_events,
           0) AS limit_events,
       CASE WHEN limit_bytes IS NOT NULL THEN group_unit END AS limit_unit,
       CAST(limit_bytes * 1.5 / 1048576 + 1 AS INTEGER) * 1048576 AS new_bytes,
       CASE WHEN limit_bytes IS NOT NULL AND group_unit IS NULL THEN '' END AS no_unit,
       CASE WHEN limit_bytes IS NULL THEN unit END AS own_unit,
       (SELECT memory_current_bytes_max FROM cgroup WHERE path = memory_cgroup) AS keep_bytes,
       CASE WHEN s.receiver IS NOT NULL THEN '' END AS seen,
       CASE WHEN s.receiver IS NOT NULL AND limit_bytes IS NULL THEN '' END AS host_short, owner_names,
       rcvbuf_bytes, s.arrival_rate, s.hold_ms, longest_ms, swapin_lossy_rate,
       CASE WHEN b.quiet_steps > 0 THEN COALESCE(swapin_quiet_rate, 0) END AS swapin_quiet_rate, fault_lossy_rate,
       CASE WHEN b.quiet_steps > 0 THEN COALESCE(fault_quiet_rate, 0) END AS fault_quiet_rate, stall_lossy_share,
       CASE WHEN b.quiet_steps > 0 THEN COALESCE(stall_quiet_share, 0) END AS stall_quiet_share,
       CASE WHEN b.quiet_steps = 0 THEN swapin_lossy_rate END AS swapin_only_rate,
       CASE WHEN b.quiet_steps = 0 THEN stall_lossy_share END AS stall_only_share,
       COALESCE(s.coincident_share, b.coincident_share) AS coincident_share, COALESCE(s.quiet_steps,
           b.quiet_steps) AS quiet_steps,
       CASE WHEN COALESCE(s.quiet_steps, b.quiet_steps) > 0 THEN COALESCE(s.elsewhere_share, b.elsewhere_share) END
           AS elsewhere_share,
       CASE WHEN COALESCE(s.quiet_steps, b.quiet_steps) = 0 THEN COALESCE(s.lossy_steps,
           b.lossy_steps) END AS all_lossy,
       CASE WHEN b.quiet_steps = 0 THEN b.lossy_steps END AS unknown_rest,
       CASE WHEN b.unseen IS NOT NULL AND stall_lossy_share IS NULL THEN 1 END AS unknown_stall, total_bytes,
       CASE WHEN limit_bytes IS NULL THEN available_bytes END AS available_bytes,
       CASE WHEN b.unseen IS NOT NULL THEN '' END AS blind, no_process, b.arrival_rate AS all_rate,
       b.buffer_bytes AS all_buffer_bytes, b.hold_ms AS all_hold_ms
FROM cases LEFT JOIN seen s USING (receiver) LEFT JOIN blind b USING (unseen), memory;
