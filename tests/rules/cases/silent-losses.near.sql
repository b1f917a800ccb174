-- Something is lost: that comes first.
UPDATE snmp SET udp_in_errors = 20, udp_rcvbuf_errors = 20 WHERE netns = 'host';
