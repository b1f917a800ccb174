-- base   reader
-- The log's file system fills up at the half; from then on the reader tries again and again, sleeping in between.
UPDATE mount SET used_bytes = 101000000000, available_bytes = 0 WHERE mount = '/' AND step > 30;
UPDATE process SET state = 'S', wait_channel = 'hrtimer_nanosleep', run_us = 40000, reader_run_permille = 40, looks_running = 1, looks_sleeping = 19,
    looks_receiving = 0, write_bytes = 0 WHERE pid = 812 AND step > 30;
UPDATE socket SET drops = 8800, looks_full = 19, looks_empty = 0, queue_bytes = 212160 WHERE step > 30;
UPDATE snmp SET udp_in_datagrams = 11200, udp_in_errors = 8800, udp_rcvbuf_errors = 8800 WHERE step > 30;
