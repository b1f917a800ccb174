-- Hardly anything times out, though it had the time to: memory, although the limit that was read is far away.
UPDATE sysctl SET ipfrag_time_s = 4;
UPDATE snmp SET ip_reasm_reqds = 1200, ip_reasm_fails = 1180, ip_reasm_timeout = step = 60 WHERE netns = 'host';
UPDATE sockstat SET frag_inuse = 1, frag_memory_bytes = 66200;
