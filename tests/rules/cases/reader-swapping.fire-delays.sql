-- base   reader
-- With delay accounting: its pages come back from swap. The kernel counts these waits as waits for a disk too, some of them
-- twice; that makes no second cause.
UPDATE sysctl SET task_delayacct = 1 WHERE netns = 'host';
UPDATE process SET block_delay_us = 0, swap_delay_us = 0, reclaim_delay_us = 0 WHERE pid = 812;
UPDATE process SET state = 'D', wait_channel = 'submit_bio_wait', run_us = 8000, user_us = 4000, system_us = 4000, reader_run_permille = 8,
    looks_running = 0, looks_sleeping = 0, looks_receiving = 0, looks_blocked = 20, major_faults = 490,
    swap_delay_us = 985000, reclaim_delay_us = 4000, block_delay_us = CASE WHEN step % 8 = 0 THEN 2400000 ELSE 988000 END
WHERE pid = 812 AND step % 8 IN (0, 1);
UPDATE memory SET pswpin = 490, pgmajfault = 500 WHERE step % 8 IN (0, 1);
UPDATE pressure SET some_total_us = 900000 WHERE resource = 'memory' AND step % 8 IN (0, 1);
UPDATE socket SET drops = 5200, looks_full = 20, looks_empty = 0, queue_bytes = 212160 WHERE step % 8 IN (0, 1);
UPDATE snmp SET udp_in_datagrams = 100, udp_in_errors = 5200, udp_rcvbuf_errors = 5200 WHERE step % 8 IN (0, 1);
