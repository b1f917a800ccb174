-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       reader-blocked-disk
-- kind       cause
-- explains   socket-queue
-- after      reader-stopped reader-swapping reader-disk-full
-- severity   warning
-- title      {reader_waits} for {disk_name}{meanwhile}{place}
-- needs      snmp.udp_rcvbuf_errors|snmp.udp6_rcvbuf_errors disk.time_io_ms
-- when       EXISTS (SELECT 1 FROM stall WHERE kind = 'disk') OR EXISTS (SELECT 1 FROM unseen_step WHERE lost > 0
--            AND (io_wait_share >= :wait OR iowait_share >= :wait OR disk_share >= :busy))
-- param      certain = 0.95         of a reader whose own waiting is seen
-- param      indirect = 0.75        whether the reader is among those that wait is not seen
-- param      idle_disk = 0.75       the factor where no disk was busy: it may wait for a lock of another
-- param      wait = 0.2             share of a step in which a program waited for a disk (or of one CPU idle
--            for it)
-- param      busy = 0.9             busy share of a disk, where this kernel has no /proc/pressure and the CPUs
--            are too busy for iowait
-- param      in_use = 0.2           busy share of a disk from which it is named
-- param      least = 0.3            below it, it is no more than a guess
-- param      single = 0.35         of one or two steps without any to compare with, that were much like that
-- param      much = 0.5             share of such steps that something waited
-- param      coincident = 0.6       share of the loss that must fall into such steps
-- param      part = 0.25           the same for a reader whose own waiting is seen: another cause may have the rest
-- param      elsewhere = 0.3        share of the loss-free steps that may be such steps as well
-- param      apart = 0.6            the same for a reader whose own waiting is seen
-- evidence   lossy_share ratio blocked {lossy_share} of the time in the steps with loss{others}; stalls of up to
--            {longest_ms}
-- evidence   stands_in - it waits in {stands_in}
-- evidence   wait_lossy_share ratio waiting for disks {wait_lossy_share} of the steps with loss,
--            {wait_quiet_share} of the others
-- evidence   wait_only_share ratio waiting for disks {wait_only_share} of these steps
-- evidence   coincident_share ratio {coincident_share} of the loss falls into these steps; of {quiet_steps}
--            loss-free steps {elsewhere_share} are like them
-- evidence   all_lossy steps {coincident_share} of the loss falls into these steps
-- evidence   busy_share ratio in these steps {device}{mounts} is busy {busy_share}, {written_bytes_rate}
--            written, {read_bytes_rate} read
-- evidence   own_bytes_rate bytes/s it writes {own_bytes_rate} itself
-- evidence   writer - most is written by {writer}, {writer_bytes_rate}
-- evidence   owner_names - the socket is held by {owner_names}
-- against    unknown_rest steps every step lost: there is none to compare with
-- against    idle_disk_share ratio no disk was busy more than {idle_disk_share} then
-- against    estimated flag how long it waits is judged by looks at its state: kernel.task_delayacct is off
-- do         Its own log or data is what it waits for: a lower log level, or log in memory or over the
--            network{own}
-- do         Limit {writer}, or give it another disk ||
--            systemctl set-property --runtime {writer_unit} IOWriteBandwidthMax={write_limit} ||
--            systemctl set-property --runtime {writer_unit} IOWriteBandwidthMax=
-- do         Let {writer} come last at the disk || ionice -c 3 -p {writer_pid} || ionice -c 2 -n 4 -p {writer_pid}
-- do         See what serves that file system, and why it answers late{fuse} || grep fuse /proc/mounts
-- do         See which files it has open || ls -l /proc/{reader_pid}/fd
-- do         Let another thread write, behind a queue, so that reading never waits for the disk{seen}
-- do         See who writes how much, and who waits (the reader's PID from ss -uamnp){blind} || pidstat -d 1 10
-- do         If it is the reader's own log: a lower log level, or a log in memory or over the network{blind}
-- do         Otherwise move the writer or the log off {blind_device}, or limit the writer ||
--            systemctl set-property --runtime UNIT IOWriteBandwidthMax={write_limit} ||
--            systemctl set-property --runtime UNIT IOWriteBandwidthMax=
-- not        A bigger buffer: at {arrival_rate} its {rcvbuf_bytes} last {hold_ms}, the stalls up to
--            {longest_ms}; it would take {needed_bytes} to bridge one
-- not        A bigger buffer: should one socket take all {all_rate}, its {all_buffer_bytes} last
--            {all_hold_ms}; the waits last up to {all_stall_ms} of a step
-- not        {no_process}
-- ruled-out  neither a reader nor anything else waited for a disk in the steps with loss
-- ref        Documentation/accounting/psi.rst: some total of io; /proc/stat iowait is idle time of a CPU whose
--            task waits; Documentation/accounting/delay-accounting.rst
WITH writers AS (
    SELECT l.receiver, p.pid AS writer_pid, MAX(p.comm) AS writer_comm, MAX(NULLIF(p.unit, '')) AS writer_unit,
           SUM(p.write_bytes) / lossy_s AS writer_bytes_rate
    FROM receiver_step l CROSS JOIN process_step p USING (step) JOIN lossy_mean USING (receiver)
    WHERE l.lost > 0 AND p.write_bytes > 0 GROUP BY l.receiver, p.pid),
top_writer AS (
    SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY receiver ORDER BY writer_bytes_rate DESC) AS place
           FROM writers)
    WHERE place = 1 AND writer_bytes_rate > 0),
used_disk AS (
    SELECT l.receiver, d.device, SUM(d.time_io_ms) / 1000.0 / lossy_s AS busy_share,
           512.0 * SUM(d.sectors_written) / lossy_s AS written_bytes_rate,
           512.0 * SUM(d.sectors_read) / lossy_s AS read_bytes_rate
    FROM receiver_step l CROSS JOIN disk_step d USING (step) JOIN lossy_mean USING (receiver)
    WHERE l.lost > 0 GROUP BY l.receiver, d.device),
busiest_disk AS (SELECT *, MAX(busy_share) FROM used_disk GROUP BY receiver),
seen AS (
    SELECT *, COALESCE(fuse_share, 0) >= 0.5 AS is_fuse, -- named where only input and output waits
           COALESCE(stands_in LIKE '%folio\_wait%' ESCAPE '\' OR stands_in LIKE '%wait\_on\_page%' ESCAPE '\'
               OR stands_in LIKE '%jbd2%' OR stands_in LIKE '%iomap\_dio%' ESCAPE '\'
                   OR stands_in LIKE '%io\_schedule%' ESCAPE '\'
               OR stands_in LIKE 'balance\_dirty%' ESCAPE '\' OR stands_in LIKE 'blk\_%' ESCAPE '\'
               OR stands_in LIKE 'submit\_bio%' ESCAPE '\', 0) AS by_io,
           CASE WHEN fuse_share >= 0.5 THEN 'a FUSE file system'
                WHEN stands_in LIKE 'rpc\_%' ESCAPE '\' OR stands_in LIKE 'nfs%' THEN 'an NFS server'
                WHEN busy_share >= :in_use THEN 'disk ' || device ELSE 'a disk' END AS waits_for
    FROM stall JOIN receiver USING (receiver) JOIN lossy_mean USING (receiver)
    LEFT JOIN top_writer USING (receiver) LEFT JOIN busiest_disk USING (receiver)
    WHERE kind = 'disk' AND coincident_share >= :part AND COALESCE(elsewhere_share, 0) <= :apart),
marked_step AS (
    SELECT *, share >= :wait OR (io_wait_share IS NULL AND disk_share >= :busy) AS marked
    FROM (SELECT *, MIN(1.0, MAX(COALESCE(io_wait_share, 0), COALESCE(iowait_share, 0))) AS share FROM unseen_step)),
compared AS (
    SELECT unseen, SUM(u.lost * COALESCE(marked, 0)) AS part, SUM(u.lost) AS lost,
           1.0 * SUM(u.lost * COALESCE(marked, 0)) / SUM(u.lost) AS coincident_share,
           SUM(u.lost > 0) AS lossy_steps, SUM(u.lost <= 0) AS quiet_steps,
           1.0 * SUM(u.lost <= 0 AND COALESCE(marked, 0)) / NULLIF(SUM(u.lost <= 0), 0) AS elsewhere_share,
           SUM(u.lost * share) / SUM(u.lost) AS wait_lossy_share,
           AVG(CASE WHEN u.lost <= 0 THEN share END) AS wait_quiet_share,
           MAX(CASE WHEN u.lost > 0 THEN 1000 * seconds * share END) AS stall_ms
    FROM marked_step u GROUP BY unseen HAVING SUM(u.lost) > 0),
disks AS (
    SELECT device, MAX(busy) AS busy_share, written_bytes_rate, read_bytes_rate FROM (
        SELECT device, 1.0 * SUM(time_io_ms) / SUM(seconds * 1000) AS busy,
               512.0 * SUM(sectors_written) / SUM(seconds) AS written_bytes_rate,
               512.0 * SUM(sectors_read) / SUM(seconds) AS read_bytes_rate
        FROM disk_step JOIN (SELECT DISTINCT step FROM loss_step WHERE locus = 'socket-queue'
            AND datagrams > 0) USING (step)
        GROUP BY device)),
blind AS (
    SELECT c.*, u.netns, u.address, u.port, u.arrival_rate, u.buffer_bytes, u.hold_ms, u.meanwhile, u.no_process,
           u.place,
           d.*, MAX(:indirect * coincident_share
               * (1 - 1.0 * (COALESCE(elsewhere_share, 0) * quiet_steps + 1) / (quiet_steps + 2))
               * lossy_steps / (lossy_steps + 0.5), CASE WHEN quiet_steps = 0 AND lossy_steps < 3
               AND wait_lossy_share >= :much THEN :single * coincident_share ELSE 0 END) AS confidence
    FROM compared c JOIN unseen u USING (unseen), disks d, window
    WHERE kind <> 'since-boot' AND coincident_share >= :coincident AND COALESCE(elsewhere_share, 0) <= :elsewhere
        AND confidence >= :least),
cases AS (SELECT receiver, NULL AS unseen FROM seen UNION ALL SELECT NULL, unseen FROM blind)
SELECT COALESCE(s.netns, b.netns) AS netns, COALESCE(s.address, b.address) AS address, COALESCE(s.port, b.port) AS port,
       process, pid, unit, container, COALESCE(s.lost, b.part) AS lost, subject_lost,
       COALESCE(:certain * fit * MIN(1, 0.75 + lossy_share)
           * CASE WHEN is_fuse OR s.busy_share >= :in_use OR by_io THEN 1 ELSE :idle_disk END,
               confidence) AS confidence,
       COALESCE(reader || ' waits', 'Programs wait') AS reader_waits, COALESCE(waits_for, 'disk ' || b.device,
           'a disk') AS disk_name,
       COALESCE(b.meanwhile, '') AS meanwhile, COALESCE(s.place, b.place) AS place, lossy_share, others, longest_ms,
       stands_in, owner_names, rcvbuf_bytes, s.arrival_rate, s.hold_ms,
       CAST(s.arrival_rate * longest_ms / 1000 * truesize AS INTEGER) AS needed_bytes,
       wait_lossy_share, CASE WHEN b.quiet_steps > 0 THEN COALESCE(wait_quiet_share, 0) END AS wait_quiet_share,
       CASE WHEN b.quiet_steps = 0 THEN wait_lossy_share END AS wait_only_share,
       COALESCE(s.coincident_share, b.coincident_share) AS coincident_share, COALESCE(s.quiet_steps,
           b.quiet_steps) AS quiet_steps,
       CASE WHEN COALESCE(s.quiet_steps, b.quiet_steps) > 0 THEN COALESCE(s.elsewhere_share, b.elsewhere_share) END
           AS elsewhere_share,
       CASE WHEN COALESCE(s.quiet_steps, b.quiet_steps) = 0 THEN COALESCE(s.lossy_steps,
           b.lossy_steps) END AS all_lossy,
       CASE WHEN b.quiet_steps = 0 THEN b.lossy_steps END AS unknown_rest, COALESCE(s.device, b.device) AS device,
       CASE WHEN b.unseen IS NOT NULL THEN b.busy_share WHEN NOT is_fuse AND s.busy_share >= :in_use
           THEN s.busy_share END
           AS busy_share,
       COALESCE(s.written_bytes_rate, b.written_bytes_rate) AS written_bytes_rate,
       COALESCE(s.read_bytes_rate, b.read_bytes_rate) AS read_bytes_rate,
       COALESCE((SELECT ' (' || GROUP_CONCAT(mount, ', ') || ')' FROM mount WHERE disk = COALESCE(s.device,
           b.device)), '')
           AS mounts,
       CASE WHEN NOT is_fuse AND s.busy_share < :in_use THEN s.busy_share END AS idle_disk_share,
       own_bytes_rate,
       CASE WHEN writer_pid <> pid AND NOT is_fuse THEN writer_comm || ' (pid ' || writer_pid || ')' END AS writer,
           writer_bytes_rate,
       CASE WHEN s.busy_share >= :in_use THEN writer_unit END AS writer_unit,
       CASE WHEN writer_unit IS NULL AND writer_pid <> pid THEN writer_pid END AS writer_pid,
       CASE WHEN s.receiver IS NOT NULL AND (writer_pid IS NULL OR writer_pid = pid) AND NOT is_fuse THEN '' END AS own,
       CASE WHEN is_fuse THEN '' END AS fuse, pid AS reader_pid, CASE WHEN s.receiver IS NOT NULL THEN '' END AS seen,
       CASE WHEN s.receiver IS NOT NULL AND (SELECT task_delayacct FROM sysctl WHERE netns = 'host') = 0
           AND NOT is_fuse THEN 1 END AS estimated,
       CASE WHEN b.unseen IS NOT NULL THEN '' END AS blind, b.device AS blind_device,
       '/dev/' || COALESCE(s.device, b.device) || ' 10M' AS write_limit, no_process,
       b.arrival_rate AS all_rate, b.buffer_bytes AS all_buffer_bytes, b.hold_ms AS all_hold_ms,
           b.stall_ms AS all_stall_ms
FROM cases LEFT JOIN seen s USING (receiver) LEFT JOIN blind b USING (unseen);
