-- Sockets that nobody reads hold all of udp_mem[0].
UPDATE snmp SET udp_in_errors = 900, udp_mem_errors = 900 WHERE netns = 'host' AND step > 10;
UPDATE sockstat SET udp_mem_pages = 94030 WHERE step > 10;
