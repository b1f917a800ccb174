-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       reader-blocked-disk
-- kind       cause
-- explains   socket-queue
-- after      reader-swapping reader-disk-full
-- severity   warning
-- title      Programs wait for {disk_name} while datagrams are lost{place}
-- needs      snmp.udp_rcvbuf_errors|snmp.udp6_rcvbuf_errors disk.time_io_ms
-- param      certain = 0.75         whether the reader is among those that wait is not seen
-- param      wait = 0.2             share of a step in which a program waited for a disk (or of one CPU idle
--            for it)
-- param      busy = 0.9             busy share of a disk, where this kernel has no /proc/pressure and the CPUs
--            are too busy for iowait
-- param      least = 0.3            below it, it is no more than a guess
-- param      coincident = 0.6       share of the loss that must fall into such steps
-- param      elsewhere = 0.3        share of the loss-free steps that may be such steps as well
-- param      truesize = 2304         memory of one datagram of up to 1,472 bytes in the queue
-- evidence   wait_lossy_share ratio waiting for disks {wait_lossy_share} of the steps with loss,
--            {wait_quiet_share} of the others
-- evidence   wait_only_share ratio waiting for disks {wait_only_share} of these steps
-- evidence   coincident_share ratio {coincident_share} of the loss falls into these steps; of {quiet_steps}
--            loss-free steps {elsewhere_share} are like them
-- evidence   all_lossy steps {coincident_share} of the loss falls into these steps
-- against    all_lossy steps every step lost: there is none to compare with
-- evidence   busy_share ratio in these steps {device}{mounts} is busy {busy_share}, {written_bytes_rate}
--            written, {read_bytes_rate} read
-- do         See who writes how much, and who waits (the reader's PID from ss -uamnp) || pidstat -d 1 10
-- do         If it is the reader's own log: a lower log level, or a log in memory or over the network
-- do         Otherwise move the writer or the log off {device}, or limit the writer ||
--            systemctl set-property --runtime UNIT IOWriteBandwidthMax={write_limit} ||
--            systemctl set-property --runtime UNIT IOWriteBandwidthMax=
-- not        A bigger buffer: should one socket take all {arrival_rate}, its {rmem_default_bytes} last
--            {hold_ms}; the waits last up to {stall_ms} of a step
-- not        Which socket and process: not judged, these are counters of the whole host. ss -uamnp names it
-- ruled-out  nothing waited for a disk in the steps with loss
-- ref        Documentation/accounting/psi.rst: some total of io; /proc/stat iowait is idle time of a CPU whose
--            task waits
WITH waited AS ( -- no row: nothing waited, where this kernel tells at all
    SELECT s.step, 1.0 * COALESCE(some_total_us, (SELECT 0 FROM pressure WHERE resource = 'io'))
           / (s.seconds * 1000000) AS io_share
    FROM step s LEFT JOIN pressure_step p ON p.step = s.step AND p.resource = 'io'),
idled AS ( -- in units of one CPU
    SELECT step, COUNT(DISTINCT cpu) * TOTAL(iowait)
           / NULLIF(TOTAL(user) + TOTAL(nice) + TOTAL(system) + TOTAL(idle) + TOTAL(iowait) + TOTAL(irq)
               + TOTAL(softirq) + TOTAL(steal), 0) AS iowait_share
    FROM cpu_step GROUP BY step),
worked AS (
    SELECT step, MAX(1.0 * time_io_ms / (seconds * 1000)) AS disk_share FROM disk_step GROUP BY step),
mark AS (
    SELECT step, share, share >= :wait OR (io_share IS NULL AND disk_share >= :busy) AS marked
    FROM (SELECT step, io_share, disk_share,
        MIN(1.0, MAX(COALESCE(io_share, 0), COALESCE(iowait_share, 0))) AS share
          FROM step LEFT JOIN waited USING (step) LEFT JOIN idled USING (step) LEFT JOIN worked USING (step))),
told AS ( -- every step of every namespace that lost
    SELECT n.netns, s.step, s.seconds, COALESCE(l.datagrams, 0) AS lost, COALESCE(m.marked, 0) AS marked, m.share
    FROM step s, (SELECT DISTINCT netns FROM loss_step WHERE locus = 'socket-queue' AND datagrams > 0) n
    LEFT JOIN loss_step l ON l.step = s.step AND l.netns = n.netns AND l.locus = 'socket-queue'
    LEFT JOIN mark m ON m.step = s.step),
compared AS (
    SELECT netns, SUM(lost * marked) AS lost, 1.0 * SUM(lost * marked) / SUM(lost) AS coincident_share,
           SUM(lost > 0) AS lossy_steps, SUM(lost <= 0) AS quiet_steps,
           1.0 * SUM(lost <= 0 AND marked) / NULLIF(SUM(lost <= 0), 0) AS elsewhere_share,
           SUM(lost * share) / SUM(lost) AS wait_lossy_share,
               AVG(CASE WHEN lost <= 0 THEN share END) AS wait_quiet_share,
           MAX(CASE WHEN lost > 0 THEN 1000 * seconds * share END) AS stall_ms
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
disks AS (
    SELECT device, MAX(busy) AS busy_share, written_bytes_rate, read_bytes_rate FROM (
        SELECT device, 1.0 * SUM(time_io_ms) / SUM(seconds * 1000) AS busy,
               512.0 * SUM(sectors_written) / SUM(seconds) AS written_bytes_rate,
               512.0 * SUM(sectors_read) / SUM(seconds) AS read_bytes_rate
        FROM disk_step JOIN (SELECT DISTINCT step FROM loss_step WHERE locus = 'socket-queue'
            AND datagrams > 0) USING (step)
        GROUP BY device))
SELECT netns, lost, coincident_share, elsewhere_share, lossy_steps, quiet_steps, wait_lossy_share,
       CASE WHEN quiet_steps > 0 THEN COALESCE(wait_quiet_share, 0) END AS wait_quiet_share, stall_ms, device,
       '/dev/' || device || ' 10M' AS write_limit,
           COALESCE('disk ' || device, 'a disk') AS disk_name, busy_share, written_bytes_rate, read_bytes_rate,
       COALESCE((SELECT ' (' || GROUP_CONCAT(mount, ', ') || ')' FROM mount WHERE disk = device), '') AS mounts,
       confidence,
       CASE WHEN quiet_steps = 0 THEN wait_lossy_share END AS wait_only_share,
       CASE WHEN quiet_steps = 0 THEN lossy_steps END AS all_lossy,
       CASE WHEN arrival_rate > 0 THEN 1000.0 * rmem_default_bytes / (arrival_rate * :truesize) END AS hold_ms,
       rmem_default_bytes, arrival_rate, CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place
FROM scored, disks LEFT JOIN arrival USING (netns)
LEFT JOIN (SELECT rmem_default_bytes FROM sysctl WHERE netns = 'host'), window
WHERE kind <> 'since-boot' AND coincident_share >= :coincident AND COALESCE(elsewhere_share, 0) <= :elsewhere
    AND confidence >= :least;
