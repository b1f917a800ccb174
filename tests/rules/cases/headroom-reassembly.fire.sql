-- Fragments arrive and all become whole.
UPDATE snmp SET ip_reasm_reqds = 300, ip_reasm_oks = 100 WHERE netns = 'host';
UPDATE sockstat SET frag_memory_bytes = 9000 WHERE step % 7 = 0;
