-- base   reader
-- A file system in memory is full, and the reader waits for a disk: it does not wait for that.
INSERT INTO mount(step, mount, device, disk, fstype, size_bytes, used_bytes, available_bytes, inodes, inodes_used, read_only)
SELECT step, '/dev/shm', 'tmpfs', '', 'tmpfs', 1073741824, 1073741824, 0, 1000000, 10, 0 FROM step;
UPDATE process SET state = 'D', wait_channel = 'folio_wait_bit_common', run_us = 40000, reader_run_permille = 40, looks_running = 1, looks_sleeping = 1, looks_blocked = 18,
    looks_receiving = 0, write_bytes = 0 WHERE pid = 812 AND step > 30;
UPDATE socket SET drops = 8800, looks_full = 19, looks_empty = 0, queue_bytes = 212160 WHERE step > 30;
UPDATE snmp SET udp_in_datagrams = 11200, udp_in_errors = 8800, udp_rcvbuf_errors = 8800 WHERE step > 30;
