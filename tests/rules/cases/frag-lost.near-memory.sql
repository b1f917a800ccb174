-- The memory is full: it is this host that refuses.
UPDATE snmp SET ip_reasm_reqds = 6000, ip_reasm_oks = 20, ip_reasm_fails = 5800,
    ip_reasm_timeout = 30 WHERE netns = 'host';
UPDATE sockstat SET frag_inuse = 300, frag_memory_bytes = 4194900;
