-- The same over IPv6: the other limit is named.
UPDATE snmp SET ip6_reasm_reqds = 6000, ip6_reasm_oks = CASE WHEN step < 10 THEN 1000 ELSE 20 END,
       ip6_reasm_fails = CASE WHEN step < 10 THEN 0 ELSE 5800 END WHERE netns = 'host';
UPDATE sockstat SET frag6_inuse = 300, frag6_memory_bytes = 4194900 WHERE step >= 10;
