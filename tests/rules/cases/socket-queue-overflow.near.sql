-- A sharper cause explains the same loss.
UPDATE cpu SET steal = 40, idle = 23 WHERE step BETWEEN 30 AND 34;
UPDATE snmp SET udp_in_datagrams = 14000, udp_in_errors = 6000, udp_rcvbuf_errors = 6000 WHERE netns = 'host'
    AND step BETWEEN 30 AND 34;
