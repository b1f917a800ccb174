-- base   reader
-- Four sockets share the port, one flow fills one of them; its thread is at its limit, the three others sleep.
UPDATE process SET threads = 4, readers = 4, run_us = 980000, reader_run_permille = 970, hottest_run_permille = 970, looks_running = 20, looks_sleeping = 0, looks_receiving = 0, state = 'R' WHERE pid = 812;
UPDATE socket SET reuseport_members = 4, reuseport_empty = 3, drops = 4000, looks_full = 18, looks_empty = 0, queue_bytes = 211000;
UPDATE snmp SET udp_in_datagrams = 16000, udp_in_errors = 4000, udp_rcvbuf_errors = 4000;
