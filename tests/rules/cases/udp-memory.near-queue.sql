-- base   reader
-- UDP memory is nearly used up, but what is lost has RcvbufErrors: the socket's own buffer.
UPDATE sysctl SET udp_mem_min_pages = 2000, udp_mem_pressure_pages = 3000, udp_mem_max_pages = 4000 WHERE netns = 'host';
UPDATE sockstat SET udp_mem_pages = 1960 WHERE netns = 'host';
UPDATE socket SET drops = 700, looks_full = 2, looks_empty = 14 WHERE step % 10 = 0;
UPDATE snmp SET udp_in_datagrams = 60000, udp_in_errors = 700, udp_rcvbuf_errors = 700 WHERE step % 10 = 0;
