-- One of a hundred thousand, in most steps: a remark.
UPDATE snmp SET udp_in_datagrams = 200000, udp_in_errors = 2, udp_rcvbuf_errors = 2 WHERE netns = 'host';
