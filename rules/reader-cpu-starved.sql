-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       reader-cpu-starved
-- kind       cause
-- explains   socket-queue
-- after      reader-stopped reader-throttled reader-steal reader-softirq reader-swapping shared-socket-contention
-- severity   warning
-- title      {reader_waits} for a CPU{meanwhile}{place}
-- needs      snmp.udp_rcvbuf_errors|snmp.udp6_rcvbuf_errors cpu.idle
-- when       EXISTS (SELECT 1 FROM stall WHERE kind = 'delay')
--            OR EXISTS (SELECT 1 FROM unseen_step WHERE lost > 0 AND busy_share >= :busy)
-- param      certain = 0.92        of a reader whose own waiting is seen
-- param      indirect = 0.65        whether the reader is among those that wait is not seen
-- param      unseen = 0.6           the factor where this kernel does not tell whether anything waited
-- param      apart = 0.6           share of its own loss-free steps above which its waiting tells nothing
-- param      own = 0.6             of the CPUs used by its own threads: then they compete with each other
-- param      busy = 0.95            share of the CPU time of a step that all CPUs together were busy
-- param      waiting = 0.2          share of a step in which at least one program waited for a CPU
-- param      least = 0.3            below it, it is no more than a guess
-- param      single = 0.35         of one or two steps without any to compare with, that were much like that
-- param      coincident = 0.6       share of the loss that must fall into such steps
-- param      part = 0.25           the same for a reader whose own waiting is seen: another cause may have the rest
-- param      elsewhere = 0.3        share of the loss-free steps that may be such steps as well
-- evidence   delay_share ratio ready, but without a CPU {delay_share} of the time in the steps with
--            loss{others}; it runs {run_share}
-- evidence   rival - meanwhile {rival} runs {rival_share} of the time{rival_where}
-- evidence   only_cpu - it may run on CPU {only_cpu} only
-- evidence   busy_lossy_share ratio all CPUs {busy_lossy_share} busy in the steps with loss,
--            {busy_quiet_share} in the others
-- evidence   wait_lossy_share ratio somebody waited for a CPU {wait_lossy_share} of those steps,
--            {wait_quiet_share} of the others
-- evidence   busy_only_share ratio all CPUs {busy_only_share} busy in these steps
-- evidence   wait_only_share ratio somebody waited for a CPU {wait_only_share} of them
-- evidence   coincident_share ratio {coincident_share} of the loss falls into these steps; of {quiet_steps}
--            loss-free steps {elsewhere_share} are like them
-- evidence   all_lossy steps {coincident_share} of the loss falls into these steps
-- evidence   owner_names - the socket is held by {owner_names}
-- against    unknown_rest steps every step lost: there is none to compare with
-- against    unknown_waiting flag no /proc/pressure here: whether anything waited for a CPU is not known
-- do         Let it run on more CPUs || taskset -acp {all_cpus} {pinned_pid} || taskset -acp {only_cpu} {pinned_pid}
-- do         Give it precedence || systemctl set-property --runtime {own_unit} CPUWeight=1000 ||
--            systemctl set-property --runtime {own_unit} CPUWeight=
-- do         Give it precedence || renice -n -10 -p {bare_pid} || renice -n {nice} -p {bare_pid}
-- do         Or limit {rival}, or move it to other CPUs ||
--            systemctl set-property --runtime {rival_unit} CPUQuota=50% ||
--            systemctl set-property --runtime {rival_unit} CPUQuota=
-- do         Or let {rival} stand back || renice -n 19 -p {rival_pid} || renice -n {rival_nice} -p {rival_pid}
-- do         See who runs, and who waits (PID of the reader from ss -uamnp){blind} || pidstat -u -t 1 5
-- do         Give the reader's unit precedence{blind} || systemctl set-property --runtime UNIT CPUWeight=1000 ||
--            systemctl set-property --runtime UNIT CPUWeight=
-- do         Or move the hog away, or limit it{blind} || systemctl set-property --runtime HOG CPUQuota=50% ||
--            systemctl set-property --runtime HOG CPUQuota=
-- not        A bigger buffer: at {arrival_rate} its {rcvbuf_bytes} last {hold_ms}; in each second it waits {wait_ms}
-- not        A bigger buffer: should one socket take all {all_rate}, its {all_buffer_bytes} last
--            {all_hold_ms}; a program waits for a CPU far longer
-- not        {no_process}
-- ruled-out  the CPUs were not all busy with programs waiting, nor did a reader wait, in the steps with loss
-- ref        schedstat: run delay, less the time throttled by a quota; Documentation/accounting/psi.rst
WITH hogs AS ( -- who ran meanwhile: on its CPU, else anywhere
    SELECT l.receiver, p.pid AS rival_pid, MAX(p.comm) AS rival_comm, MAX(NULLIF(p.unit, '')) AS rival_unit,
           MAX(p.nice) AS rival_nice, SUM(COALESCE(p.run_us, p.user_us + p.system_us)) / 1e6 / lossy_s AS rival_share,
           MAX(p.last_cpu = l.last_cpu) AS same_cpu
    FROM receiver_step l CROSS JOIN process_step p USING (step) JOIN receiver r USING (receiver)
           JOIN lossy_mean USING (receiver)
    WHERE l.lost > 0 AND p.pid IS NOT r.pid GROUP BY l.receiver, p.pid
    HAVING rival_share >= 0.05 AND (same_cpu OR MAX(r.cpus_allowed LIKE '%,%' OR r.cpus_allowed LIKE '%-%'
        OR r.cpus_allowed IS NULL))), -- one that may run on one CPU only has no rivals on others
top AS (
    SELECT *, ROW_NUMBER() OVER (PARTITION BY receiver ORDER BY rival_share >= 0.2 AND same_cpu DESC, rival_share DESC)
               AS place FROM hogs),
seen AS (
    SELECT *, rival_comm || ' (pid ' || rival_pid || ')' AS rival,
           CASE WHEN same_cpu THEN ' on CPU ' || last_cpu ELSE '' END AS rival_where,
           CASE WHEN cpus_allowed NOT LIKE '%,%' AND cpus_allowed NOT LIKE '%-%' THEN cpus_allowed END AS only_cpu
    FROM stall JOIN receiver USING (receiver) JOIN lossy_mean USING (receiver)
    LEFT JOIN (SELECT receiver, rival_pid, rival_comm, rival_unit, rival_share, rival_nice, same_cpu FROM top
               WHERE place = 1) USING (receiver)
    WHERE kind = 'delay' AND coincident_share >= :part AND COALESCE(elsewhere_share, 0) <= :apart
        AND COALESCE(cpus_used, 0) < :own * (SELECT COUNT(*) FROM cpu)
        AND (threads = 1 OR rival_share IS NULL OR rival_share >= 0.5 * COALESCE(cpus_used, 0))),
marked_step AS (
    SELECT *, busy_share AS share, cpu_wait_share AS wait_share,
           busy_share >= :busy AND COALESCE(cpu_wait_share, 1) >= :waiting AS marked
    FROM unseen_step),
compared AS (
    SELECT unseen, SUM(u.lost * COALESCE(marked, 0)) AS part, SUM(u.lost) AS lost,
           1.0 * SUM(u.lost * COALESCE(marked, 0)) / SUM(u.lost) AS coincident_share,
           SUM(u.lost > 0) AS lossy_steps, SUM(u.lost <= 0) AS quiet_steps,
           1.0 * SUM(u.lost <= 0 AND COALESCE(marked, 0)) / NULLIF(SUM(u.lost <= 0), 0) AS elsewhere_share,
           SUM(u.lost * share) / SUM(u.lost) AS busy_lossy_share,
           AVG(CASE WHEN u.lost <= 0 THEN share END) AS busy_quiet_share,
           SUM(u.lost * wait_share) / SUM(u.lost) AS wait_lossy_share,
           AVG(CASE WHEN u.lost <= 0 THEN wait_share END) AS wait_quiet_share
    FROM marked_step u GROUP BY unseen HAVING SUM(u.lost) > 0),
blind AS (
    SELECT c.*, u.netns, u.address, u.port, u.arrival_rate, u.buffer_bytes, u.hold_ms, u.meanwhile, u.no_process,
           u.place,
           MAX(:indirect * coincident_share * (1 - 1.0 * (COALESCE(elsewhere_share,
               0) * quiet_steps + 1) / (quiet_steps + 2))
               * lossy_steps / (lossy_steps + 0.5) * CASE WHEN wait_lossy_share IS NULL THEN :unseen ELSE 1
                   END, CASE WHEN quiet_steps = 0 AND lossy_steps < 3 THEN :single * coincident_share ELSE 0 END)
                   AS confidence
    FROM compared c JOIN unseen u USING (unseen), window
    WHERE kind <> 'since-boot' AND coincident_share >= :coincident AND COALESCE(elsewhere_share, 0) <= :elsewhere
        AND confidence >= :least),
cases AS (SELECT receiver, NULL AS unseen FROM seen UNION ALL SELECT NULL, unseen FROM blind)
SELECT COALESCE(s.netns, b.netns) AS netns, COALESCE(s.address, b.address) AS address, COALESCE(s.port, b.port) AS port,
       process, pid, unit, container, COALESCE(s.lost, b.part) AS lost, subject_lost,
       COALESCE(:certain * fit * MIN(1, 0.7 + s.lossy_share) * CASE WHEN rival IS NULL THEN 0.95 ELSE 1 END, confidence)
           AS confidence,
       COALESCE(reader || ' waits', 'Programs wait') AS reader_waits, COALESCE(b.meanwhile, '') AS meanwhile,
       COALESCE(s.place, b.place) AS place, lossy_share AS delay_share, others, run_share, s.hold_ms, s.arrival_rate,
       rcvbuf_bytes, 1000 * lossy_share AS wait_ms, rival, rival_share, rival_where, only_cpu, owner_names,
       COALESCE(s.coincident_share, b.coincident_share) AS coincident_share, COALESCE(s.quiet_steps,
           b.quiet_steps) AS quiet_steps,
       CASE WHEN COALESCE(s.quiet_steps, b.quiet_steps) > 0 THEN COALESCE(s.elsewhere_share, b.elsewhere_share) END
           AS elsewhere_share,
       CASE WHEN COALESCE(s.quiet_steps, b.quiet_steps) = 0 THEN COALESCE(s.lossy_steps,
           b.lossy_steps) END AS all_lossy,
       CASE WHEN b.quiet_steps = 0 THEN b.lossy_steps END AS unknown_rest, busy_lossy_share,
       CASE WHEN b.quiet_steps > 0 THEN COALESCE(busy_quiet_share, 0) END AS busy_quiet_share, wait_lossy_share,
       CASE WHEN b.quiet_steps > 0 THEN COALESCE(wait_quiet_share, 0) END AS wait_quiet_share,
       CASE WHEN b.quiet_steps = 0 THEN busy_lossy_share END AS busy_only_share,
       CASE WHEN b.quiet_steps = 0 THEN wait_lossy_share END AS wait_only_share,
       CASE WHEN b.unseen IS NOT NULL AND wait_lossy_share IS NULL THEN 1 END AS unknown_waiting,
       (SELECT GROUP_CONCAT(cpu) FROM cpu) AS all_cpus, CASE WHEN only_cpu IS NOT NULL THEN pid END AS pinned_pid,
       unit AS own_unit, CASE WHEN unit IS NULL THEN pid END AS bare_pid, nice, rival_unit,
       CASE WHEN rival_unit IS NULL THEN rival_pid END AS rival_pid, rival_nice,
       CASE WHEN b.unseen IS NOT NULL THEN '' END AS blind, no_process, b.arrival_rate AS all_rate,
       b.buffer_bytes AS all_buffer_bytes, b.hold_ms AS all_hold_ms
FROM cases LEFT JOIN seen s USING (receiver) LEFT JOIN blind b USING (unseen);
