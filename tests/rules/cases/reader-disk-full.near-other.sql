-- base   reader
-- A file system is full that the reader does not use: it writes on as before, and loses bursts.
INSERT INTO mount(step, mount, device, disk, fstype, size_bytes, used_bytes, available_bytes, inodes, inodes_used, read_only)
SELECT step, '/backup', '/dev/vdb1', 'vdb', 'ext4', 107374182400, 101000000000, 0, 6553600, 1000, 0 FROM step;
UPDATE socket SET drops = 700, looks_full = 1 WHERE step % 10 = 0;
UPDATE snmp SET udp_in_datagrams = 60000, udp_in_errors = 700, udp_rcvbuf_errors = 700 WHERE step % 10 = 0;
