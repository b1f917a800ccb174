-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       inode-fill
-- kind       level
-- explains   -
-- severity   warning
-- unit       percent
-- text       {mount} has used {fill_percent} of its inodes, {inodes_left} files are left
-- needs      mount.inodes
-- param      warning = 80         percent
-- param      critical = 90        percent
-- do         See where the many files are || du -x --inodes -d 3 {mount} | sort -n | tail -20
-- do         Remove them, or make the file system anew with more inodes: their number is fixed (ext4)
-- ref        statvfs(3) f_files, f_ffree; without inodes no file can be made though space is left
SELECT mount, fill_percent AS value, fill_percent, inodes - inodes_used AS inodes_left,
       CASE WHEN fill_percent >= :critical THEN 'critical' ELSE 'warning' END AS severity
FROM (SELECT mount, inodes, inodes_used, 100.0 * inodes_used / inodes AS fill_percent
      FROM mount WHERE inodes > 0 AND COALESCE(read_only, 0) = 0)
WHERE fill_percent >= :warning;
