-- The reassembly memory of IPv4 is full, IPv6 loses fragments on the way, and some datagrams are damaged.
UPDATE snmp SET ip_reasm_reqds = 6000, ip_reasm_oks = CASE WHEN step < 20 THEN 1000 ELSE 20 END,
    ip_reasm_fails = CASE WHEN step < 20 THEN 0 ELSE 5800 END,
       ip6_reasm_reqds = 590, ip6_reasm_oks = 90, ip6_reasm_fails = 10, ip6_reasm_timeout = 10,
       udp_in_csum_errors = 5, udp_in_errors = 5 WHERE netns = 'host';
UPDATE sockstat SET frag_inuse = 300, frag_memory_bytes = 4194900, frag6_inuse = 600,
    frag6_memory_bytes = 900000 WHERE step >= 20;
