-- Another one is mounted read-only on purpose.
INSERT INTO mount(step, mount, device, disk, fstype, size_bytes, used_bytes, available_bytes, inodes,
    inodes_used, read_only)
SELECT step, '/snap/core', '/dev/loop0', '', 'squashfs', 67108864, 67108864, 0, 10000, 10000, 1 FROM step;
