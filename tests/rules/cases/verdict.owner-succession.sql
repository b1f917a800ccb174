-- base   reader
-- Another process has the number and the port of the first one, and loses too: each has its own loss, and the name of the
-- second is not given to the first.
UPDATE process SET start_time = 99999, comm = 'second' WHERE pid = 812 AND step > 30;
UPDATE owner SET start_time = 99999, inode = 50777 WHERE step > 30;
UPDATE socket SET cookie = 2002, inode = 50777 WHERE step > 30;
UPDATE socket SET drops = 700, looks_full = 2, looks_empty = 14 WHERE step % 10 = 0;
UPDATE snmp SET udp_in_datagrams = 60000, udp_in_errors = 700, udp_rcvbuf_errors = 700 WHERE step % 10 = 0;
