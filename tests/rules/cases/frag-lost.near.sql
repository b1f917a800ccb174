-- Late duplicates: each time-out held one fragment of four, and all datagrams were delivered.
UPDATE snmp SET ip_reasm_reqds = 4005, ip_reasm_oks = 1000, ip_reasm_fails = 5,
    ip_reasm_timeout = 5 WHERE netns = 'host';
UPDATE sockstat SET frag_inuse = 5, frag_memory_bytes = 15000;
