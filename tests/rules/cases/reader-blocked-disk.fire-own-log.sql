-- base   reader
-- Delay accounting is on: the reader's own log waits for a slow disk, all the time.
UPDATE sysctl SET task_delayacct = 1 WHERE netns = 'host';
UPDATE disk SET time_io_ms = 970, sectors_written = 50000;
UPDATE process SET block_delay_us = 0, swap_delay_us = 0, reclaim_delay_us = 0;
UPDATE process SET state = 'D', wait_channel = 'folio_wait_bit', run_us = 150000, reader_run_permille = 150, write_bytes = 24000000,
    block_delay_us = 700000, looks_running = 3, looks_sleeping = 3, looks_receiving = 3, looks_blocked = 14 WHERE pid = 812;
UPDATE socket SET drops = 6000, looks_full = 15, looks_empty = 2, queue_bytes = 212160;
UPDATE snmp SET udp_in_datagrams = 14000, udp_in_errors = 6000, udp_rcvbuf_errors = 6000;
