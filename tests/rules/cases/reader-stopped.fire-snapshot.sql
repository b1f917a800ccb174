-- base   reader
-- kind   since-boot
-- A single look finds the reader stopped and its queue full.
UPDATE socket SET drops = 5000000, looks = 1, looks_full = 1, looks_empty = 0, queue_bytes = 212160;
UPDATE snmp SET udp_in_errors = 5000000, udp_rcvbuf_errors = 5000000;
UPDATE process SET state = 'T', wait_channel = 'do_signal_stop', looks = 1, looks_running = 0, looks_sleeping = 0, looks_receiving = 0, looks_stopped = 1
WHERE pid = 812;
