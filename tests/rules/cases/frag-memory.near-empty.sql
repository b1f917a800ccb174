-- Over IPv6 fragments are refused that overlap others; nothing waits in the memory, and nothing timed out.
UPDATE snmp SET ip6_reasm_reqds = 750, ip6_reasm_oks = 0, ip6_reasm_fails = 250, ip6_reasm_timeout = 0 WHERE netns = 'host';
UPDATE sockstat SET frag6_inuse = 0, frag6_memory_bytes = 0;
