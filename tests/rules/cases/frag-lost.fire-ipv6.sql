-- The same over IPv6.
UPDATE snmp SET ip6_reasm_reqds = 5900, ip6_reasm_oks = 900, ip6_reasm_fails = 100,
    ip6_reasm_timeout = 100 WHERE netns = 'host';
UPDATE sockstat SET frag6_inuse = 60, frag6_memory_bytes = 700000;
