-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       reader-throttled
-- kind       cause
-- explains   socket-queue
-- after      reader-stopped
-- severity   warning
-- title      {reader} is stopped by its CPU quota{place}
-- needs      socket.drops owner cgroup.throttled_us
-- when       EXISTS (SELECT 1 FROM stall)
-- param      certain = 0.95
-- param      few = 0.25           share of the loss that must fall into the steps in which it was throttled
-- param      apart = 0.5          share of the loss-free steps above which throttling tells nothing
-- param      spare = 1.25         of the CPU time that it needs, so that bursts fit
-- evidence   lossy_share ratio throttled {lossy_share} of the time in the steps with loss{others}
-- evidence   coincident_share ratio {coincident_share} of the loss falls into steps in which it was throttled
-- evidence   quota_share ratio {group} may use {quota_share} of one CPU: {quota_ms} in each {period_ms}
-- evidence   throttled_periods periods the quota stopped it in {throttled_periods} of {periods} periods
-- evidence   above flag the quota is set above it, at {group}: its own cpu.stat shows nothing
-- evidence   pause_ms ms so it reads nothing for up to {pause_ms} of each period; at {arrival_rate} its
--            {rcvbuf_bytes} last {hold_ms}
-- evidence   owner_names - the socket is held by {owner_names}
-- against    unknown_limit flag the quota itself could not be read
-- do         Give {group} the CPU time that it asks for ||
--            systemctl set-property {group_unit} CPUQuota={new_percent:raw}% ||
--            systemctl set-property {group_unit} CPUQuota={old_percent:raw}%
-- do         Keep the quota, but in shorter periods: the pauses shrink with them ||
--            systemctl set-property {group_unit} CPUQuotaPeriodSec=10ms ||
--            systemctl set-property {group_unit} CPUQuotaPeriodSec=100ms
-- do         Raise the limit of container {container} (docker update --cpus {new_cpus}; in Kubernetes
--            resources.limits.cpu)
-- do         Raise the quota of {group} || echo {new_quota_us} {period_us} | tee /sys/fs/cgroup{v2_path}/cpu.max ||
--            echo {quota_us} {period_us} | tee /sys/fs/cgroup{v2_path}/cpu.max
-- do         Raise the quota of {group} || echo {new_quota_us} | tee /sys/fs/cgroup/cpu{v1_path}/cpu.cfs_quota_us ||
--            echo {quota_us} | tee /sys/fs/cgroup/cpu{v1_path}/cpu.cfs_quota_us
-- not        Faster CPUs or a higher priority: the quota counts, whatever else runs
-- not        A bigger buffer alone: over time it may read less than arrives, and then any buffer fills{saturated}
-- ruled-out  no quota stopped the reader of a lossy socket
-- ref        Documentation/scheduler/sched-bwc.rst; a quota of a parent shows in the parent's cpu.stat only
WITH groups AS ( -- of each reader the group that was throttled longest; of equals the lowest, which has the quota
    SELECT r.receiver, c.path, c.version, NULLIF(c.unit, '') AS group_unit, c.quota_us, c.period_us, c.periods,
           c.throttled_periods, ROW_NUMBER() OVER (PARTITION BY r.receiver ORDER BY c.throttled_us DESC,
               c.quota_us IS NULL,
               length(c.path) DESC) AS nth
    FROM receiver r JOIN cgroup c ON substr(r.cgroup || '/', 1, length(c.path) + 1) = c.path || '/'
    WHERE c.throttled_us > 0),
told AS (
    SELECT *, 1.0 * quota_us / period_us AS quota_share,
           MIN(1.0 * COALESCE(threads, 1), quota_us / period_us + lossy_share * MAX(1, COALESCE(readers, 1))) AS wanted,
           (SELECT COUNT(*) FROM cpu) AS cpus
    FROM stall JOIN receiver USING (receiver) JOIN groups USING (receiver)
    WHERE kind = 'throttled' AND coincident_share >= :few AND COALESCE(elsewhere_share, 0) <= :apart AND groups.nth = 1)
SELECT netns, address, port, process, pid, unit, container, lost, subject_lost,
       :certain * fit * CASE WHEN quota_us IS NULL THEN 0.9 ELSE 1 END AS confidence, reader, place, lossy_share,
           others,
       coincident_share, quota_share, quota_us / 1000.0 AS quota_ms, period_us / 1000.0 AS period_ms, quota_us,
           period_us,
       throttled_periods, periods, COALESCE(group_unit, path) AS "group", owner_names, arrival_rate, rcvbuf_bytes,
           hold_ms,
       CASE WHEN path <> cgroup THEN 1 END AS above, CASE WHEN quota_us IS NULL THEN 1 END AS unknown_limit,
       MAX(0, period_us - quota_us / MAX(1, MIN(cpus, COALESCE(readers, 1)))) / 1000.0 AS pause_ms,
       CASE WHEN container IS NULL AND quota_us IS NOT NULL THEN group_unit END AS group_unit,
       CAST(ROUND(100.0 * quota_us / period_us) AS INTEGER) AS old_percent,
       CAST(100 * wanted * :spare / 10 + 1 AS INTEGER) * 10 AS new_percent,
       CAST(10 * wanted * :spare + 1 AS INTEGER) / 10.0 AS new_cpus,
       CAST(wanted * :spare * period_us / 1000 + 1 AS INTEGER) * 1000 AS new_quota_us,
       CASE WHEN container IS NULL AND group_unit IS NULL AND version = 2 THEN path END AS v2_path,
       CASE WHEN container IS NULL AND group_unit IS NULL AND version = 1 THEN path END AS v1_path,
       CASE WHEN lossy_share >= 0.2 THEN '' END AS saturated
FROM told;
