-- kind since-boot
-- One look: a small share is lost, and nobody may ask for more than the kernel's default.
UPDATE snmp SET udp_in_datagrams = 9000000, udp_in_errors = 5525, udp_rcvbuf_errors = 5525 WHERE netns = 'host';
