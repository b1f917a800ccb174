-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       disk-fill
-- kind       level
-- explains   -
-- severity   warning
-- unit       percent
-- text       {mount} is {fill_percent} full, {available_bytes} left{outlook}
-- needs      mount.used_bytes
-- param      warning = 80         percent, as df shows it; the configuration sets it
-- param      critical = 90        percent
-- param      watched_s = 300      seconds of growth that an outlook needs
-- do         See what fills it || du -xh -d 3 {mount} | sort -h | tail -20
-- do         Files that are deleted and still open hold space until their program restarts || lsof +L1 {mount}
-- do         The journal, if it is large || journalctl --vacuum-size=200M
-- ref        a program that cannot write blocks, and then its sockets overflow; df: used / (used + available)
WITH look AS (
    SELECT mount, MIN(step) AS first, MAX(step) AS last FROM mount_step WHERE used_bytes IS NOT NULL
           GROUP BY mount),
growth AS (
    SELECT l.mount, (b.end_ms - a.end_ms) / 1000.0 AS watched_s, y.used_bytes - x.used_bytes AS grown
    FROM look l JOIN mount_step x ON x.mount = l.mount AND x.step = l.first JOIN mount_step y ON y.mount = l.mount
        AND y.step = l.last
    JOIN step a ON a.step = l.first JOIN step b ON b.step = l.last),
filled AS (
    SELECT mount, device, available_bytes, 100.0 * used_bytes / (used_bytes + available_bytes) AS fill_percent,
           CASE WHEN watched_s >= :watched_s AND grown > 0
               THEN available_bytes * watched_s / grown / 3600 END AS hours
    FROM mount LEFT JOIN growth USING (mount)
    WHERE COALESCE(read_only, 0) = 0 AND used_bytes + available_bytes > 0)
SELECT mount, device, fill_percent AS value, fill_percent, available_bytes, hours,
       CASE WHEN fill_percent >= :critical THEN 'critical' ELSE 'warning' END AS severity,
       CASE WHEN hours < 2 THEN printf(', at this growth full in %d min', MAX(1, hours * 60)) WHEN hours < 1000
            THEN printf(', at this growth full in %d h', hours) ELSE '' END AS outlook
FROM filled
WHERE fill_percent >= MIN(:warning, :critical);
