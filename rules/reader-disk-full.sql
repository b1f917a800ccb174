-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       reader-disk-full
-- kind       cause
-- explains   socket-queue
-- after      reader-stopped
-- severity   warning
-- title      {mount} is full{who}{place}
-- needs      snmp.udp_rcvbuf_errors|snmp.udp6_rcvbuf_errors mount.used_bytes
-- param      certain = 0.95        the reader hangs, and wrote until it was full
-- param      likely = 0.6          the reader hangs since it is full; whether it writes there is not known
-- param      in_memory = 0.7      the factor for a file system in memory: what a reader writes there is not counted
-- param      indirect = 0.7        the reader is not seen
-- param      always = 0.35         where it was full in the loss-free steps too, or there were none, and it is not
--            known to write there
-- param      full = 0.995           of what programs without privileges may use
-- param      coincident = 0.6       share of the loss that must fall into the time in which it is full
-- param      elsewhere = 0.3        share of the loss-free steps above which the loss does not tell
-- param      writes = 0.2           of what it wrote before, still written while it is full: then it goes on
-- evidence   fill_share ratio {mount} ({device}) is filled {fill_share}, {available_bytes} left
-- evidence   inode_share ratio {inode_share} of its inodes are in use
-- evidence   hang_share ratio {process} hangs {hang_share} of the time with datagrams waiting{stands_in}
-- evidence   before_bytes_rate bytes/s it wrote {before_bytes_rate} before, and {after_bytes_rate} since
-- evidence   coincident_share ratio {coincident_share} of the loss falls into the time in which it is full
-- evidence   owner_names - the socket is held by {owner_names}
-- against    full_elsewhere_share ratio it was full in {full_elsewhere_share} of the loss-free steps as well
-- against    nothing_quiet flag every step lost: there is none to compare with
-- against    unknown_file flag whether {process} has a file open there is not known
-- do         See what fills it || du -xh -d 3 {mount} | sort -h | tail -20
-- do         See which files {process} has open there || ls -l /proc/{reader_pid}/fd
-- do         Files that are deleted and still open hold space until their program restarts || lsof +L1 {mount}
-- do         Free space there, rotate the reader's log, or give it a file system of its own
-- not        A bigger buffer: at {arrival_rate} its {rcvbuf_bytes} last {hold_ms}, and a reader that cannot write
--            stays blocked
-- not        A bigger buffer: a reader that cannot write stays blocked, and fills any buffer{blind}
-- not        {no_file}
-- not        {no_process}
-- ruled-out  no file system was full in the steps with loss, or it did not hinder the reader
-- ref        statvfs(3): f_bavail; write(2): ENOSPC. A retry loop sleeps in hrtimer_nanosleep
WITH filled AS ( -- rows stand only where something changed
    SELECT mount, MIN(step) AS first_full, MAX(step) AS last_full FROM mount_step
    WHERE used_bytes >= :full * (used_bytes + available_bytes) OR (inodes > 0 AND inodes_used >= :full * inodes)
    GROUP BY mount),
ranged AS (
    SELECT mount, first_full, last_full,
           (SELECT step FROM mount_step x WHERE x.mount = f.mount
            AND NOT (used_bytes >= :full * (used_bytes + available_bytes)
                     OR (inodes > 0 AND inodes_used >= :full * inodes)) ORDER BY step LIMIT 1) AS first_free
    FROM filled f),
full_at AS (
    SELECT mount, CASE WHEN first_free < first_full THEN first_full ELSE 0 END AS first_step,
           CASE WHEN used_bytes >= :full * (used_bytes + available_bytes)
                     OR (inodes > 0 AND inodes_used >= :full * inodes) THEN 9e18 ELSE last_full END AS last_step
    FROM mount LEFT JOIN ranged USING (mount) WHERE last_step IS NOT NULL),
hangs AS ( -- readers that were blocked, or slept in something else, while they lost
    SELECT receiver, MAX(fit), kind, fit, lost, lossy_share AS hang_share, arrival_rate, hold_ms FROM stall
    WHERE kind IN ('disk', 'asleep') AND coincident_share >= :coincident GROUP BY receiver),
place AS (SELECT mount, fstype IN ('tmpfs', 'ramfs', 'hugetlbfs') AS in_memory FROM mount),
hung_at AS (
    SELECT h.receiver, f.mount, first_step > 0 AS filled_up, SUM(s.lost * (s.step BETWEEN first_step AND last_step)) / SUM(s.lost)
           AS coincident_share,
           1.0 * SUM(s.lost <= 0 AND s.step BETWEEN first_step AND last_step) / NULLIF(SUM(s.lost <= 0), 0)
               AS elsewhere_share,
           SUM(CASE WHEN s.step < first_step THEN write_bytes END) / SUM(CASE WHEN s.step < first_step
               THEN s.seconds END)
               AS before_bytes_rate,
           SUM(CASE WHEN s.lost > 0 AND s.step BETWEEN first_step AND last_step THEN write_bytes END)
               / SUM(CASE WHEN s.lost > 0 AND s.step BETWEEN first_step AND last_step THEN s.seconds END)
               AS after_bytes_rate
    FROM hangs h JOIN receiver_step s USING (receiver), full_at f GROUP BY h.receiver, f.mount),
seen AS (
    SELECT *, NOT in_memory AND COALESCE(after_bytes_rate <= :writes * before_bytes_rate AND before_bytes_rate > 0, 0)
           AS wrote
    FROM hung_at JOIN hangs USING (receiver) JOIN receiver USING (receiver) JOIN lossy_mean USING (receiver)
    JOIN place USING (mount)
    WHERE coincident_share >= :coincident AND (in_memory OR NOT COALESCE(after_bytes_rate > :writes * before_bytes_rate, 0))
        AND (stands_in LIKE '%nanosleep%' OR NOT in_memory AND (before_bytes_rate > 0 OR kind = 'disk'))),
compared AS (
    SELECT unseen, mount, SUM(u.lost * (u.step BETWEEN first_step AND last_step)) AS part, SUM(u.lost) AS lost,
           1.0 * SUM(u.lost * (u.step BETWEEN first_step AND last_step)) / SUM(u.lost) AS coincident_share,
           1.0 * SUM(u.lost <= 0 AND u.step BETWEEN first_step AND last_step) / NULLIF(SUM(u.lost <= 0), 0)
               AS elsewhere_share
    FROM unseen_step u, full_at GROUP BY unseen, mount HAVING SUM(u.lost) > 0),
blind AS (
    SELECT c.*, u.netns, u.address, u.port, u.meanwhile, u.no_process, u.place FROM compared c
           JOIN unseen u USING (unseen)
    WHERE coincident_share >= :coincident),
cases AS (
    SELECT receiver, NULL AS unseen, mount FROM seen UNION ALL SELECT NULL, unseen, mount FROM blind),
told AS (
    SELECT COALESCE(s.netns, b.netns) AS netns, COALESCE(s.address, b.address) AS address, COALESCE(s.port,
           b.port) AS port,
           process, pid, unit, container, c.mount, s.lost AS seen_lost, b.part, subject_lost, reader, s.receiver,
               b.unseen,
           wrote, filled_up, fit, hang_share, stands_in, before_bytes_rate, after_bytes_rate, owner_names, b.meanwhile, no_process,
           COALESCE(s.place, b.place) AS place, COALESCE(s.coincident_share, b.coincident_share) AS coincident_share,
           CASE WHEN s.receiver IS NULL THEN b.elsewhere_share WHEN NOT wrote THEN s.elsewhere_share ELSE 0 END
               AS elsewhere_share, rcvbuf_bytes, s.arrival_rate, s.hold_ms
    FROM cases c LEFT JOIN seen s ON s.receiver = c.receiver AND s.mount = c.mount
    LEFT JOIN blind b ON b.unseen = c.unseen AND b.mount = c.mount)
SELECT netns, address, port, process, pid, unit, container, mount, device,
       COALESCE(CAST(seen_lost * coincident_share AS INTEGER), part) AS lost, subject_lost, coincident_share,
       -- one that fills up, and then a reader hangs: what came before was no trouble
       CASE WHEN wrote THEN :certain WHEN filled_up THEN :likely WHEN COALESCE(elsewhere_share > :elsewhere, 1) THEN :always
            WHEN receiver IS NULL THEN :indirect * (1 - elsewhere_share) ELSE :likely END
           * CASE WHEN in_memory THEN :in_memory ELSE 1 END
           * COALESCE(fit, 1) * coincident_share AS confidence,
       -- of one step it is all that can be said
       NOT COALESCE(wrote, 0) AND (in_memory OR NOT COALESCE(filled_up, 0)
           AND COALESCE(elsewhere_share > :elsewhere, window.steps > 1)) AS aside,
       COALESCE(', and ' || reader || ' hangs', meanwhile) AS who, place, hang_share,
       COALESCE(' (' || stands_in || ')', '') AS stands_in, CASE WHEN wrote THEN before_bytes_rate
           END AS before_bytes_rate,
       after_bytes_rate, owner_names, CASE WHEN elsewhere_share > :elsewhere THEN elsewhere_share
           END AS full_elsewhere_share,
       CASE WHEN elsewhere_share IS NULL AND receiver IS NULL THEN 1 END AS nothing_quiet,
       CASE WHEN NOT wrote THEN 1 END AS unknown_file, pid AS reader_pid,
       1.0 * used_bytes / (used_bytes + available_bytes) AS fill_share, available_bytes,
       CASE WHEN inodes > 0 AND inodes_used >= :full * inodes THEN 1.0 * inodes_used / inodes END AS inode_share,
       arrival_rate, rcvbuf_bytes, hold_ms, CASE WHEN receiver IS NULL THEN '' ELSE NULL END AS blind,
       CASE WHEN wrote THEN 'critical' END AS severity,
       CASE WHEN receiver IS NULL THEN 'Whether the reader has a file open there: not judged. ss -uamnp names it, ls -l'
           || ' /proc/PID/fd its files' END AS no_file, CASE WHEN port IS NOT NULL AND receiver IS NULL
               THEN no_process END AS no_process
FROM told JOIN mount USING (mount) JOIN place USING (mount), window
WHERE kind <> 'since-boot' AND COALESCE(read_only, 0) = 0
    AND (wrote OR elsewhere_share <= :elsewhere OR NOT (mount GLOB '/boot*' OR mount GLOB '/efi*'
        OR mount GLOB '/media/*'
         OR mount GLOB '/mnt/*' OR mount GLOB '/run/*' OR mount GLOB '/snap/*')); -- where services do not write
