-- base   reader
-- Another CPU than the reader's is stolen; it loses bursts.
UPDATE cpu SET steal = 45, idle = 20, user = 18 WHERE cpu = 0 AND step % 6 = 0;
UPDATE socket SET drops = 700, looks_full = 1 WHERE step % 6 = 0;
UPDATE snmp SET udp_in_datagrams = 60000, udp_in_errors = 700, udp_rcvbuf_errors = 700 WHERE step % 6 = 0;
