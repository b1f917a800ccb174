-- base   reader
-- Kernel 6.18: no counter moves, the drops of the sockets do. A program that never reads holds the memory, another one loses.
UPDATE sysctl SET udp_mem_min_pages = 2000, udp_mem_pressure_pages = 3000, udp_mem_max_pages = 4000 WHERE netns = 'host';
UPDATE sockstat SET udp_mem_pages = 2000 WHERE netns = 'host';
UPDATE socket SET drops = 165;
INSERT INTO socket(step, netns, cookie, inode, protocol, family, address, port, rcvbuf_bytes, rmem_bytes, queue_bytes, queue_peak_bytes, drops, looks, looks_full, looks_empty, owners, owner_state, kernel_user)
SELECT step, 'host', 1009, 50009, 'udp', 4, '0.0.0.0', 9000, 16777216, 7900000, 7900000, 7900000, 0, 0, 0, 0, 1, 'found', '' FROM step;
INSERT INTO owner(step, inode, pid, start_time, fd, netns) SELECT step, 50009, 990, 4400, 7, 'host' FROM step;
