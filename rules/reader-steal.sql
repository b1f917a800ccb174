-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       reader-steal
-- kind       cause
-- explains   socket-queue
-- after      reader-stopped reader-throttled
-- severity   warning
-- title      The hypervisor takes {cpus} away{meanwhile}{place}
-- needs      snmp.udp_rcvbuf_errors|snmp.udp6_rcvbuf_errors cpu.steal
-- when       EXISTS (SELECT 1 FROM stall WHERE kind = 'steal')
--            OR EXISTS (SELECT 1 FROM unseen_step WHERE lost > 0 AND steal_share >= :steal)
-- param      certain = 0.88         of a reader whose CPU is seen; a stolen CPU stops whoever runs on it
-- param      indirect = 0.7         the reader itself is not seen
-- param      steal = 0.1            share of the CPU time of a step
-- param      least = 0.3            below it, it is no more than a guess
-- param      single = 0.35         of one or two steps without any to compare with, that were much like that
-- param      much = 0.3             share of the CPU time of such steps
-- param      coincident = 0.6       share of the loss that must fall into such steps
-- param      elsewhere = 0.3        share of the loss-free steps that may be such steps as well
-- evidence   lossy_share ratio stolen {lossy_share} of {cpu_name} in the steps with loss{others}
-- evidence   steal_lossy_share ratio stolen {steal_lossy_share} of the CPU time in the steps with loss,
--            {steal_quiet_share} in the others
-- evidence   steal_only_share ratio stolen {steal_only_share} of the CPU time in these steps
-- evidence   coincident_share ratio {coincident_share} of the loss falls into these steps; of {quiet_steps}
--            loss-free steps {elsewhere_share} are like them
-- evidence   all_lossy steps {coincident_share} of the loss falls into these steps
-- evidence   owner_names - the socket is held by {owner_names}
-- against    unknown_rest steps every step lost: there is none to compare with
-- against    busy_share ratio its reading thread runs {busy_share} of the time, which may be too much by itself
-- do         Ask the provider for a less crowded host, or take an instance with CPUs of its own
-- do         Watch it (column st) || vmstat 1 10
-- not        A bigger buffer: at {arrival_rate} its {rcvbuf_bytes} last {hold_ms}; in each second its CPU is away
--            for {away_ms}
-- not        A bigger buffer: should one socket take all {all_rate}, its {all_buffer_bytes} last
--            {all_hold_ms}; a stolen CPU is away as long as its host likes
-- not        {no_process}
-- ruled-out  the hypervisor did not take the CPUs away in the steps with loss
-- ref        /proc/stat column 8; Documentation/filesystems/proc.rst
WITH seen AS (
    SELECT * FROM stall JOIN receiver USING (receiver) JOIN lossy_mean USING (receiver)
    WHERE kind = 'steal' AND coincident_share >= :coincident AND COALESCE(elsewhere_share, 0) <= :elsewhere),
compared AS (
    SELECT unseen, SUM(u.lost * COALESCE(marked, 0)) AS part, SUM(u.lost) AS lost,
           1.0 * SUM(u.lost * COALESCE(marked, 0)) / SUM(u.lost) AS coincident_share,
           SUM(u.lost > 0) AS lossy_steps, SUM(u.lost <= 0) AS quiet_steps,
           1.0 * SUM(u.lost <= 0 AND COALESCE(marked, 0)) / NULLIF(SUM(u.lost <= 0), 0) AS elsewhere_share,
           SUM(u.lost * share) / SUM(u.lost) AS steal_lossy_share,
           AVG(CASE WHEN u.lost <= 0 THEN share END) AS steal_quiet_share
    FROM (SELECT *, steal_share AS share, steal_share >= :steal AS marked FROM unseen_step) u GROUP BY unseen HAVING SUM(u.lost) > 0),
blind AS (
    SELECT c.*, u.netns, u.address, u.port, u.arrival_rate, u.buffer_bytes, u.hold_ms, u.meanwhile, u.no_process,
           u.place,
           MAX(:indirect * coincident_share * (1 - 1.0 * (COALESCE(elsewhere_share,
               0) * quiet_steps + 1) / (quiet_steps + 2))
               * lossy_steps / (lossy_steps + 0.5), CASE WHEN quiet_steps = 0 AND lossy_steps < 3
               AND steal_lossy_share >= :much THEN :single * coincident_share ELSE 0 END) AS confidence
    FROM compared c JOIN unseen u USING (unseen), window
    WHERE kind <> 'since-boot' AND coincident_share >= :coincident AND COALESCE(elsewhere_share, 0) <= :elsewhere
        AND confidence >= :least),
cases AS (SELECT receiver, NULL AS unseen FROM seen UNION ALL SELECT NULL, unseen FROM blind)
SELECT COALESCE(s.netns, b.netns) AS netns, COALESCE(s.address, b.address) AS address, COALESCE(s.port, b.port) AS port,
       process, pid, unit, container, COALESCE(s.lost, b.part) AS lost, subject_lost,
       COALESCE(:certain * fit * CASE WHEN run_share >= 0.85 THEN 0.7 ELSE 1 END, confidence) AS confidence,
       COALESCE('the CPU of ' || reader, 'the CPUs') AS cpus, COALESCE(b.meanwhile, '') AS meanwhile,
       COALESCE(s.place, b.place) AS place, lossy_share, 'CPU ' || lossy_cpu AS cpu_name, others, owner_names,
       CASE WHEN run_share >= 0.85 THEN run_share END AS busy_share, rcvbuf_bytes, s.arrival_rate, s.hold_ms,
       1000 * lossy_share AS away_ms, steal_lossy_share,
       CASE WHEN b.quiet_steps > 0 THEN COALESCE(steal_quiet_share, 0) END AS steal_quiet_share,
       CASE WHEN b.quiet_steps = 0 THEN steal_lossy_share END AS steal_only_share,
       COALESCE(s.coincident_share, b.coincident_share) AS coincident_share, COALESCE(s.quiet_steps,
           b.quiet_steps) AS quiet_steps,
       CASE WHEN COALESCE(s.quiet_steps, b.quiet_steps) > 0 THEN COALESCE(s.elsewhere_share, b.elsewhere_share) END
           AS elsewhere_share,
       CASE WHEN COALESCE(s.quiet_steps, b.quiet_steps) = 0 THEN COALESCE(s.lossy_steps,
           b.lossy_steps) END AS all_lossy,
       CASE WHEN b.quiet_steps = 0 THEN b.lossy_steps END AS unknown_rest, no_process, b.arrival_rate AS all_rate,
       b.buffer_bytes AS all_buffer_bytes, b.hold_ms AS all_hold_ms
FROM cases LEFT JOIN seen s USING (receiver) LEFT JOIN blind b USING (unseen);
