-- One socket's own limit.
UPDATE snmp SET udp_in_errors = 900, udp_rcvbuf_errors = 900 WHERE netns = 'host' AND step > 10;
UPDATE sockstat SET udp_mem_pages = 1200 WHERE step > 10;
