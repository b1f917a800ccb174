-- The kernel names all parts.
UPDATE snmp SET udp_in_errors = 55, udp_rcvbuf_errors = 55 WHERE netns = 'host';
