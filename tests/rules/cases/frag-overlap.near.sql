-- Time-outs without overlaps.
UPDATE snmp SET ip_reasm_reqds = 8000, ip_reasm_oks = 3990, ip_reasm_fails = 20,
    ip_reasm_timeout = 20 WHERE netns = 'host';
UPDATE sockstat SET frag_inuse = 60, frag_memory_bytes = 300000;
