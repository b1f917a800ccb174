-- base   reader
-- The process of that number is another one by now: no wrong name, and none of its times.
UPDATE process SET start_time = 99999, comm = 'backup', state = 'D', looks_blocked = 20 WHERE pid = 812;
UPDATE socket SET drops = 700, looks_full = 2, looks_empty = 14 WHERE step % 10 = 0;
UPDATE snmp SET udp_in_datagrams = 60000, udp_in_errors = 700, udp_rcvbuf_errors = 700 WHERE step % 10 = 0;
