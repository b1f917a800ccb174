-- base   reader
-- The reader's CPU is stolen now and then; nothing else changes.
UPDATE cpu SET steal = 45, idle = 20, user = 18 WHERE cpu = 2 AND step % 6 = 0;
UPDATE socket SET drops = 3000, looks_full = 8, looks_empty = 6 WHERE step % 6 = 0;
UPDATE snmp SET udp_in_datagrams = 17000, udp_in_errors = 3000, udp_rcvbuf_errors = 3000 WHERE step % 6 = 0;
