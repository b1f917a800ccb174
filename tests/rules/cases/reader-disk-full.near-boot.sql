-- A boot partition that has been full for long: nobody reads a socket and writes there.
INSERT INTO mount(step, mount, device, disk, fstype, size_bytes, used_bytes, available_bytes, inodes,
    inodes_used, read_only)
VALUES (1, '/boot', '/dev/vda2', 'vda', 'ext4', 536870912, 500000000, 0, 32768, 400, 0);
UPDATE snmp SET udp_in_datagrams = 2000, udp_in_errors = 18000, udp_rcvbuf_errors = 18000 WHERE netns = 'host';
