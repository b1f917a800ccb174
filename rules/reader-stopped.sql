-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       reader-stopped
-- kind       cause
-- explains   socket-queue
-- severity   critical
-- title      {reader} is {halted} and does not read{place}
-- needs      socket.drops owner process.state
-- when       EXISTS (SELECT 1 FROM stall)
-- param      certain = 0.98
-- param      few = 0.3            share of the loss below which the stop explains too little of it
-- evidence   lossy_share ratio {halted} {lossy_share} of the time in the steps with loss{others}
-- evidence   coincident_share ratio {coincident_share} of the loss falls into these steps
-- evidence   longest_ms ms the longest stop: {longest_ms}
-- evidence   still flag it still is
-- evidence   stands_in - it stands in {stands_in}
-- evidence   owner_names - the socket is held by {owner_names}
-- against    over flag it runs again now
-- do         Let it go on || kill -CONT {stopped_pid}
-- do         See who traces it, and detach that || grep TracerPid /proc/{traced_pid}/status
-- do         Thaw it || systemctl thaw {frozen_unit}
-- do         Thaw its control group || echo 0 | tee {v2_folder}/cgroup.freeze
-- do         Thaw its control group || echo THAWED | tee {v1_folder}/freezer.state
-- do         It runs again: find who stopped it, such as a debugger, a backup, a snapshot or ^Z{over_text}
-- not        A bigger buffer: at {arrival_rate} its {rcvbuf_bytes} last {hold_ms}, the stop {longest_ms}
-- not        CPU, disk or memory: it waits for none of them, it was told to stop
-- ruled-out  no reader of a lossy socket was stopped, traced or frozen
-- ref        proc(5): states T and t; frozen by cgroup v2 it is S in get_signal, by v1 D in __refrigerator
WITH seen AS (
    SELECT receiver, SUM(is_frozen) AS frozen, SUM(state = 't') AS traced FROM receiver_step WHERE stopped > 0
    GROUP BY receiver),
told AS (
    SELECT *, CASE WHEN frozen > 0 THEN 'frozen' WHEN traced > 0 THEN 'held by a debugger' ELSE 'stopped' END AS halted,
           COALESCE(state IN ('T', 't'), 0)
               OR EXISTS (SELECT 1 FROM cgroup WHERE frozen = 1 AND path IN (freezer_cgroup, unified_cgroup)) AS lasts,
           COALESCE(wait_channel = '__refrigerator', 0) AS by_v1,
           (SELECT freezer_folder FROM cgroup WHERE frozen = 1 AND path IN (freezer_cgroup, unified_cgroup)
            AND freezer_folder <> '' LIMIT 1) AS folder
    FROM stall JOIN receiver USING (receiver) JOIN seen USING (receiver)
    WHERE kind = 'stopped' AND coincident_share >= :few)
SELECT netns, address, port, process, pid, unit, container, lost, subject_lost, :certain * fit AS confidence,
       reader, halted, place, lossy_share, others, coincident_share, longest_ms, owner_names, arrival_rate, hold_ms,
           rcvbuf_bytes,
       CASE WHEN lasts THEN 1 END AS still, CASE WHEN NOT lasts THEN 1 END AS over, CASE WHEN NOT lasts THEN ''
           END AS over_text,
       CASE WHEN lasts THEN wait_channel END AS stands_in, CASE WHEN lasts AND halted = 'stopped' THEN pid
           END AS stopped_pid,
       CASE WHEN lasts AND halted = 'held by a debugger' THEN pid END AS traced_pid,
       CASE WHEN lasts AND halted = 'frozen' AND NOT by_v1 THEN unit END AS frozen_unit,
       CASE WHEN lasts AND halted = 'frozen' AND NOT by_v1 AND unit IS NULL
           THEN COALESCE(folder, '/sys/fs/cgroup' || COALESCE(unified_cgroup, freezer_cgroup)) END AS v2_folder,
       CASE WHEN lasts AND halted = 'frozen' AND by_v1
           THEN COALESCE(folder, '/sys/fs/cgroup/freezer' || freezer_cgroup) END AS v1_folder
FROM told;
