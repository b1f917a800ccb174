-- No /proc/pressure: the idle time of the CPUs spent waiting for the disk tells.
DELETE FROM pressure;
UPDATE snmp SET udp_in_datagrams = 12000, udp_in_errors = 8000, udp_rcvbuf_errors = 8000 WHERE netns = 'host'
    AND step % 20 = 0;
UPDATE cpu SET idle = 20, iowait = 43 WHERE step % 20 = 0 AND cpu = 1;
UPDATE disk SET time_io_ms = 990, sectors_written = 300000 WHERE step % 20 = 0;
