-- One fragment of each tenth datagram is missing; the memory is nearly empty.
UPDATE snmp SET ip_reasm_reqds = 5900, ip_reasm_oks = 900, ip_reasm_fails = 100, ip_reasm_timeout = 100,
    icmp_out_time_excds = 97 WHERE netns = 'host' AND step > 30;
UPDATE snmp SET ip_reasm_reqds = 5900, ip_reasm_oks = 900 WHERE netns = 'host' AND step <= 30;
UPDATE sockstat SET frag_inuse = 60, frag_memory_bytes = 700000;
