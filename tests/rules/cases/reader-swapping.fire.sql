-- Pages come back from swap in the seconds with loss, and programs wait for them.
UPDATE memory SET pswpin = 3000, pgmajfault = 900, available_bytes = 90000000,
    swap_free_bytes = 300000000 WHERE step % 15 = 0;
UPDATE pressure SET some_total_us = 650000, full_total_us = 400000 WHERE resource = 'memory' AND step % 15 = 0;
UPDATE pressure SET some_total_us = 700000, full_total_us = 400000 WHERE resource = 'io' AND step % 15 = 0;
UPDATE snmp SET udp_in_datagrams = 12000, udp_in_errors = 8000, udp_rcvbuf_errors = 8000 WHERE netns = 'host'
    AND step % 15 = 0;
