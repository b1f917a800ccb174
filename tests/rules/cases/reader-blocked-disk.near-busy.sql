-- A disk busy with writing back, and nobody waits for it.
UPDATE disk SET time_io_ms = 990, sectors_written = 300000 WHERE step % 10 = 0;
UPDATE snmp SET udp_in_datagrams = 58000, udp_in_errors = 2000, udp_rcvbuf_errors = 2000 WHERE netns = 'host'
    AND step % 10 = 0;
