-- Every error has a name; the sum is one off, as it is while the counters move.
UPDATE snmp SET udp_in_errors = 5000, udp_rcvbuf_errors = 5000 WHERE netns = 'host';
UPDATE snmp SET udp_in_errors = 5001 WHERE netns = 'host' AND step = 60;
