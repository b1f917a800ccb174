-- The disk is busy all the time and programs wait for it, in the seconds with loss as in those without: it
-- decides nothing.
UPDATE disk SET time_io_ms = 990, sectors_written = 300000;
UPDATE pressure SET some_total_us = 400000, full_total_us = 200000 WHERE resource = 'io';
UPDATE snmp SET udp_in_datagrams = 58000, udp_in_errors = 2000, udp_rcvbuf_errors = 2000 WHERE netns = 'host'
    AND step % 10 = 0;
