-- base   reader
-- The queue is full all the time: no buffer is large enough for that.
UPDATE process SET run_us = 985000, reader_run_permille = 985, looks_running = 20, looks_sleeping = 0, looks_receiving = 0, state = 'R', wait_channel = '' WHERE pid = 812;
UPDATE socket SET drops = 4000, looks_full = 18, looks_empty = 0, queue_bytes = 200000 + 832 * (step % 10);
UPDATE snmp SET udp_in_datagrams = 16000, udp_in_errors = 4000, udp_rcvbuf_errors = 4000;
