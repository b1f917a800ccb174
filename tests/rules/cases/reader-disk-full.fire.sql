-- /var fills up in the middle of the window; from then on datagrams are lost.
INSERT INTO mount(step, mount, device, disk, fstype, size_bytes, used_bytes, available_bytes, inodes,
    inodes_used, read_only)
SELECT step, '/var', '/dev/vdb1', 'vdb', 'ext4', 53687091200, CASE WHEN step < 40 THEN 51000000000
       ELSE 51100000000 END,
       CASE WHEN step < 40 THEN 900000000 ELSE 0 END, 3276800, 20000, 0 FROM step WHERE step % 10 = 0;
UPDATE snmp SET udp_in_datagrams = 2000, udp_in_errors = 18000, udp_rcvbuf_errors = 18000 WHERE netns = 'host'
    AND step >= 41;
