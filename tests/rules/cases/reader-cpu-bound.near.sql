-- base   reader
-- The process is busy with many threads, but the one that reads is not: bursts are lost.
UPDATE process SET threads = 9, readers = 1, run_us = 2500000, delay_us = 30000, hottest_name = 'worker', hottest_run_permille = 990, reader_run_permille = 200
WHERE pid = 812;
UPDATE socket SET drops = 700, looks_full = 1 WHERE step % 10 = 0;
UPDATE snmp SET udp_in_datagrams = 60000, udp_in_errors = 700, udp_rcvbuf_errors = 700 WHERE step % 10 = 0;
