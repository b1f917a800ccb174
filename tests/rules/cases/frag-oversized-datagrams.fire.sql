-- Every tenth datagram comes in 45 fragments, all arrive.
UPDATE snmp SET ip_in_receives = 110000, ip_reasm_reqds = 90000, ip_reasm_oks = 2000, ip_frag_oks = 500,
    ip_frag_creates = 3000 WHERE netns = 'host';
UPDATE sockstat SET frag_inuse = 3, frag_memory_bytes = 200000;
