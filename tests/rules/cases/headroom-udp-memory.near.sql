-- Something is lost: the room left elsewhere is not what matters.
UPDATE snmp SET udp_in_errors = 20, udp_rcvbuf_errors = 20 WHERE netns = 'host';
