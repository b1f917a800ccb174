-- Bursts overflow the ring, and what passes overflows a socket.
UPDATE link SET rx_missed_errors = 3238 WHERE interface = 'eth0' AND step % 10 = 0;
UPDATE snmp SET udp_in_datagrams = 58000, udp_in_errors = 1908, udp_rcvbuf_errors = 1908 WHERE netns = 'host'
    AND step % 10 = 0;
