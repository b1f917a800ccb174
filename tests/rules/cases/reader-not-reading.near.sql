-- base   reader
-- A slow reader, but it reads: its queue shrinks now and then.
UPDATE process SET run_us = 970000, reader_run_permille = 970, looks_running = 20, looks_sleeping = 0, looks_receiving = 0, state = 'R', wait_channel = '' WHERE pid = 812;
UPDATE socket SET drops = 9000, looks_full = 20, looks_empty = 0, queue_bytes = 212160 - 832 * (step * 37 % 60), rmem_bytes = 212160;
UPDATE snmp SET udp_in_datagrams = 11000, udp_in_errors = 9000, udp_rcvbuf_errors = 9000;
