-- base   reader
-- It sleeps in poll most of the time, but with an empty queue: bursts are lost.
UPDATE process SET wait_channel = 'poll_schedule_timeout', run_us = 200000, reader_run_permille = 200, looks_running = 4, looks_sleeping = 16, looks_receiving = 0 WHERE pid = 812;
UPDATE socket SET looks_empty = 17;
UPDATE socket SET drops = 700, looks_full = 1, looks_empty = 16 WHERE step % 10 = 0;
UPDATE snmp SET udp_in_datagrams = 60000, udp_in_errors = 700, udp_rcvbuf_errors = 700 WHERE step % 10 = 0;
