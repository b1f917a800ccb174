-- base   reader
-- kind   history
-- steps  180 60000
-- Three hours, told by minutes: the reader waits for its disk for some seconds of each tenth minute.
UPDATE snmp SET udp_in_datagrams = 1200000, ip_in_receives = 1320000;
UPDATE process SET run_us = 21000000, user_us = 12000000, system_us = 9000000, delay_us = 120000, looks = 60, looks_running = 20, looks_sleeping = 40, looks_receiving = 40;
UPDATE process SET state = 'S', looks = 200, looks_running = 20, looks_sleeping = 40, looks_receiving = 40, looks_blocked = 140 WHERE pid = 812 AND step % 10 = 0;
UPDATE disk SET time_io_ms = 20000, sectors_written = 3600000 WHERE step % 10 = 0;
UPDATE socket SET drops = 30000, looks = 200, looks_full = 130, looks_empty = 40 WHERE step % 10 = 0;
UPDATE snmp SET udp_in_errors = 30000, udp_rcvbuf_errors = 30000 WHERE step % 10 = 0;
