-- Pages come back from swap, and no program waited for memory: those steps have no row of pressure at all.
UPDATE memory SET pswpin = 3000, pgmajfault = 900 WHERE step % 15 = 0;
DELETE FROM pressure WHERE resource = 'memory' AND step > 1;
UPDATE snmp SET udp_in_datagrams = 12000, udp_in_errors = 8000, udp_rcvbuf_errors = 8000
WHERE netns = 'host' AND step % 15 = 0;
