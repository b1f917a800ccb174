-- The queue overflows in every second, at the same arrivals: no burst.
UPDATE snmp SET udp_in_datagrams = 18500, udp_in_errors = 1500, udp_rcvbuf_errors = 1500 WHERE netns = 'host';
