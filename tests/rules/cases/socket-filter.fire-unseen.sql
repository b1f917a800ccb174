-- base   reader
-- The same by IPAddressDeny of its unit, seen without privileges; another socket overflows beside it.
UPDATE socket SET drops = 400;
INSERT INTO socket(step, netns, cookie, inode, protocol, family, address, port, rcvbuf_bytes, rmem_bytes, queue_bytes, queue_peak_bytes, drops, looks, looks_full, looks_empty, owners, owner_state, kernel_user)
SELECT step, 'host', 1003, 50003, 'udp', 4, '0.0.0.0', 53, 212992, 212000, 211000, 212160, 90, 20, 15, 1, 0, 'denied', '' FROM step;
UPDATE snmp SET udp_in_errors = 490, udp_rcvbuf_errors = 90;
