-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       reader-disk-full
-- kind       cause
-- explains   socket-queue
-- severity   warning
-- title      {mount} is full while datagrams are lost{place}
-- needs      snmp.udp_rcvbuf_errors|snmp.udp6_rcvbuf_errors mount.used_bytes
-- param      certain = 0.7          whether the reader writes there is not seen
-- param      always = 0.35          where it was full in the loss-free steps too, or there were none
-- param      full = 0.995           of what programs without privileges may use
-- param      coincident = 0.6       share of the loss that must fall into the time in which it is full
-- param      elsewhere = 0.3        share of the loss-free steps above which the loss does not tell
-- evidence   fill_share ratio {mount} ({device}) is filled {fill_share}, {available_bytes} left
-- evidence   inode_share ratio {inode_share} of its inodes are in use
-- evidence   coincident_share ratio {coincident_share} of the loss falls into the time in which it is full
-- against    full_elsewhere_share ratio it was full in {full_elsewhere_share} of the loss-free steps as well
-- against    nothing_quiet flag every step lost: there is none to compare with
-- do         See what fills it || du -xh -d 3 {mount} | sort -h | tail -20
-- do         Files that are deleted and still open hold space until their program restarts || lsof +L1 {mount}
-- do         Free space there, rotate the reader's log, or give it a file system of its own
-- not        A bigger buffer: a reader that cannot write stays blocked, and fills any buffer
-- not        Whether the reader has a file open there: not judged. ss -uamnp names it, ls -l /proc/PID/fd its
--            files
-- ruled-out  no file system was full in the steps with loss
-- ref        statvfs(3): f_bavail; write(2): ENOSPC
WITH looked AS ( -- rows stand only where something changed
    SELECT mount, step, used_bytes >= :full * (used_bytes + available_bytes)
           OR (inodes > 0 AND inodes_used >= :full * inodes) AS is_full
    FROM mount_step),
ranged AS (
    SELECT mount, MIN(CASE WHEN is_full THEN step END) AS first_full,
           MAX(CASE WHEN is_full THEN step END) AS last_full,
           MIN(CASE WHEN NOT is_full THEN step END) AS first_free
    FROM looked GROUP BY mount),
full_at AS (
    SELECT mount, CASE WHEN first_free < first_full THEN first_full ELSE 0 END AS first_step,
           CASE WHEN used_bytes >= :full * (used_bytes + available_bytes)
                     OR (inodes > 0 AND inodes_used >= :full * inodes) THEN 9e18 ELSE last_full END AS last_step
    FROM mount LEFT JOIN ranged USING (mount)),
told AS (
    SELECT n.netns, f.mount, COALESCE(l.datagrams, 0) AS lost, s.step BETWEEN first_step AND last_step AS marked
    FROM step s, full_at f, (SELECT DISTINCT netns FROM loss_step WHERE locus = 'socket-queue' AND datagrams > 0) n
    LEFT JOIN loss_step l ON l.step = s.step AND l.netns = n.netns AND l.locus = 'socket-queue'),
compared AS (
    SELECT netns, mount, SUM(lost * marked) AS lost, 1.0 * SUM(lost * marked) / SUM(lost) AS coincident_share,
           1.0 * SUM(lost <= 0 AND marked) / NULLIF(SUM(lost <= 0), 0) AS elsewhere_share
    FROM told GROUP BY netns, mount)
SELECT netns, mount, device, lost, coincident_share,
       CASE WHEN elsewhere_share <= :elsewhere THEN :certain * (1 - elsewhere_share) ELSE :always END
           * coincident_share AS confidence,
       CASE WHEN elsewhere_share IS NULL THEN 1 END AS nothing_quiet,
       CASE WHEN elsewhere_share > :elsewhere THEN elsewhere_share END AS full_elsewhere_share,
       1.0 * used_bytes / (used_bytes + available_bytes) AS fill_share, available_bytes,
       CASE WHEN inodes > 0 AND inodes_used >= :full * inodes THEN 1.0 * inodes_used / inodes END AS inode_share,
       CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place
FROM compared JOIN mount USING (mount), window
WHERE kind <> 'since-boot' AND COALESCE(read_only, 0) = 0 AND coincident_share >= :coincident
    AND (elsewhere_share <= :elsewhere OR NOT (mount GLOB '/boot*' OR mount GLOB '/efi*' OR mount GLOB '/media/*'
         OR mount GLOB '/mnt/*' OR mount GLOB '/run/*' OR mount GLOB '/snap/*')); -- where services do not write
