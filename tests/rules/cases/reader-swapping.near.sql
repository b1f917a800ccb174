-- Swap is in use and quiet.
UPDATE memory SET swap_free_bytes = 300000000, available_bytes = 400000000;
UPDATE snmp SET udp_in_datagrams = 12000, udp_in_errors = 8000, udp_rcvbuf_errors = 8000 WHERE netns = 'host'
    AND step % 15 = 0;
