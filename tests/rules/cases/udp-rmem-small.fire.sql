-- 150,000 datagrams a second at best, into buffers of the kernel's default.
UPDATE snmp SET udp_in_datagrams = 150000 WHERE netns = 'host' AND step = 17;
