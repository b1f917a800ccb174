-- base   two
-- The memory of all UDP sockets is used up, which refuses datagrams for rsyslogd's roomy socket; named's own buffer is full at times.
UPDATE sysctl SET udp_mem_min_pages = 2000, udp_mem_pressure_pages = 3000, udp_mem_max_pages = 4000 WHERE netns = 'host';
UPDATE sockstat SET udp_mem_pages = 2000 WHERE netns = 'host';
UPDATE socket SET drops = 500, rcvbuf_bytes = 16777216, looks_empty = 0, queue_bytes = 7000000, queue_peak_bytes = 7900000 WHERE port = 514;
UPDATE socket SET drops = 2000, looks_full = 15, looks_empty = 5 WHERE port = 53 AND step % 10 = 0;
UPDATE snmp SET udp_in_datagrams = 60000, udp_in_errors = 2000, udp_rcvbuf_errors = 2000 WHERE step % 10 = 0;
