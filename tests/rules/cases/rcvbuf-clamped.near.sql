-- base   reader
-- Its buffer is at the same place, but its reader is at its limit: what it asked for would not help.
UPDATE socket SET rcvbuf_bytes = 425984;
UPDATE process SET run_us = 985000, reader_run_permille = 985, looks_running = 20, looks_sleeping = 0, looks_receiving = 0, state = 'R', wait_channel = '' WHERE pid = 812;
UPDATE socket SET drops = 4000, looks_full = 18, looks_empty = 0, queue_bytes = 420000 + 832 * (step % 5);
UPDATE snmp SET udp_in_datagrams = 16000, udp_in_errors = 4000, udp_rcvbuf_errors = 4000;
