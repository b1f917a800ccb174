-- /var is filled 85 %, / 93 %.
UPDATE mount SET used_bytes = 93000000000, available_bytes = 7000000000 WHERE mount = '/';
INSERT INTO mount(step, mount, device, disk, fstype, size_bytes, used_bytes, available_bytes, inodes,
    inodes_used, read_only)
SELECT step, '/var', '/dev/vdb1', 'vdb', 'ext4', 53687091200, 42500000000, 7500000000, 3276800, 20000,
       0 FROM step WHERE step % 10 = 0;
