-- base   reader
-- A tunnel's socket: no process reads it.
DELETE FROM owner;
DELETE FROM process WHERE pid = 812;
UPDATE socket SET port = 4789, inode = 0, owners = 0, owner_state = 'kernel', kernel_user = 'vxlan', drops = 40, looks_full = 3;
UPDATE snmp SET udp_in_errors = 40, udp_rcvbuf_errors = 40;
