-- A file system that is full and read-only, as images are.
INSERT INTO mount(step, mount, device, disk, fstype, size_bytes, used_bytes, available_bytes, inodes,
    inodes_used, read_only)
SELECT step, '/snap/core', '/dev/loop0', '', 'squashfs', 67108864, 67108864, 0, 10000, 10000,
       1 FROM step WHERE step % 10 = 0;
UPDATE snmp SET udp_in_datagrams = 2000, udp_in_errors = 18000, udp_rcvbuf_errors = 18000 WHERE netns = 'host'
    AND step >= 41;
