-- The same few time-outs, but each held three fragments of four: the fourth is lost.
UPDATE snmp SET ip_reasm_reqds = 4015, ip_reasm_oks = 1000, ip_reasm_fails = 5,
    ip_reasm_timeout = 5 WHERE netns = 'host';
UPDATE sockstat SET frag_inuse = 5, frag_memory_bytes = 45000;
