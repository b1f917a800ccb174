-- A router in front of a narrower link.
UPDATE snmp SET ip_frag_fails = 40, ip_forw_datagrams = 9000, ip6_frag_fails = 7, ip6_in_too_big_errors = 7,
    ip6_out_forw_datagrams = 800 WHERE netns = 'host';
UPDATE sysctl SET ip_forward = 1 WHERE netns = 'host';
