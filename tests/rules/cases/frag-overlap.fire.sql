-- 4,000 datagrams a second in two fragments each: identifications repeat within 30 s.
UPDATE snmp SET ip_reasm_reqds = 8000, ip_reasm_oks = 3990, ip_reasm_fails = 20, ip_reasm_timeout = 10,
    ip_ext_reasm_overlaps = 10 WHERE netns = 'host';
UPDATE sockstat SET frag_inuse = 60, frag_memory_bytes = 300000;
