-- base   reader
-- A sender sends in bursts; between them the queue is empty and the reader sleeps. Its buffer is the default.
UPDATE socket SET drops = 700, looks_full = 2, looks_empty = 14, queue_peak_bytes = 212160 WHERE step % 10 = 0;
UPDATE snmp SET udp_in_datagrams = 60000, udp_in_errors = 700, udp_rcvbuf_errors = 700 WHERE step % 10 = 0;
