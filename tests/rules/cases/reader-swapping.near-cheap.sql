-- Swap in compressed memory: many faults, hardly any time lost by them.
UPDATE memory SET pswpin = 57000, pgmajfault = 57000 WHERE step % 15 = 0;
UPDATE pressure SET some_total_us = 30000, full_total_us = 10000 WHERE resource = 'memory' AND step % 15 = 0;
UPDATE snmp SET udp_in_datagrams = 12000, udp_in_errors = 8000, udp_rcvbuf_errors = 8000 WHERE netns = 'host'
    AND step % 15 = 0;
