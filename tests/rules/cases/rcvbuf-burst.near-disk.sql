-- Loss in single steps, but in these programs wait for the disk.
UPDATE snmp SET udp_in_datagrams = 12000, udp_in_errors = 8000, udp_rcvbuf_errors = 8000 WHERE netns = 'host'
    AND step % 20 = 0;
UPDATE pressure SET some_total_us = 700000, full_total_us = 600000 WHERE resource = 'io' AND step % 20 = 0;
UPDATE cpu SET idle = 20, iowait = 43 WHERE step % 20 = 0 AND cpu = 1;
UPDATE disk SET time_io_ms = 990, sectors_written = 300000 WHERE step % 20 = 0;
