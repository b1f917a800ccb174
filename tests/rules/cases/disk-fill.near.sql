-- 79 %, and an image that is always full.
UPDATE mount SET used_bytes = 79000000000, available_bytes = 21000000000;
INSERT INTO mount(step, mount, device, disk, fstype, size_bytes, used_bytes, available_bytes, inodes,
    inodes_used, read_only)
SELECT step, '/snap/core', '/dev/loop0', '', 'squashfs', 67108864, 67108864, 0, 10000, 10000, 1 FROM step;
