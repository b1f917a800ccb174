-- 64,000-byte datagrams at a gigabit against the default limit: everything is refused once the memory is full.
UPDATE snmp SET ip_in_receives = 100000, ip_reasm_reqds = 85000, ip_reasm_oks = CASE WHEN step < 3 THEN 1800
    ELSE 0 END,
       ip_reasm_fails = CASE WHEN step < 3 THEN 0 WHEN step < 33 THEN 85000 ELSE 85040 END,
       ip_reasm_timeout = CASE WHEN step < 33 THEN 0 ELSE 40 END WHERE netns = 'host';
UPDATE sockstat SET frag_inuse = 41, frag_memory_bytes = 4195000 WHERE step >= 3;
