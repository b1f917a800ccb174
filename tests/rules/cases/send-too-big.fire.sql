-- The path's MTU shrank, and the datagrams may not be fragmented.
UPDATE snmp SET ip_frag_fails = 15, ip6_frag_fails = 3, icmp6_in_pkt_too_bigs = 3 WHERE netns = 'host';
