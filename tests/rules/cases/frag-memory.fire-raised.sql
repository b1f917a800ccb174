-- The limit was raised in the middle of the window; what was lost before is still explained by the old one.
UPDATE sysctl SET ipfrag_high_thresh_bytes = CASE WHEN step < 40 THEN 262144 ELSE 67108864 END;
UPDATE snmp SET ip_reasm_reqds = 8000, ip_reasm_oks = CASE WHEN step < 40 THEN 100 ELSE 2000 END,
       ip_reasm_fails = CASE WHEN step < 40 THEN 7000 ELSE 0 END WHERE netns = 'host';
UPDATE sockstat SET frag_inuse = 40, frag_memory_bytes = CASE WHEN step < 40 THEN 263000 ELSE 900000 END;
