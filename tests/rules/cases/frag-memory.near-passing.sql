-- Over IPv6 fragments are refused that overlap others; one datagram was on its way when the memory was looked at.
UPDATE snmp SET ip6_reasm_reqds = 750, ip6_reasm_oks = 0, ip6_reasm_fails = 250, ip6_reasm_timeout = 0 WHERE netns = 'host';
UPDATE sockstat SET frag6_inuse = CASE step WHEN 30 THEN 1 ELSE 0 END, frag6_memory_bytes = CASE step WHEN 30 THEN 2488 ELSE 0 END;
