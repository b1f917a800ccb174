-- A full file system whose row stands in the first step only, as nothing changes after it.
INSERT INTO mount(step, mount, device, disk, fstype, size_bytes, used_bytes, available_bytes, inodes,
    inodes_used, read_only)
VALUES (1, '/var', '/dev/vdb1', 'vdb', 'ext4', 53687091200, 51100000000, 0, 3276800, 20000, 0);
UPDATE snmp SET udp_in_datagrams = 2000, udp_in_errors = 18000, udp_rcvbuf_errors = 18000 WHERE netns = 'host';
