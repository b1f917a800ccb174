-- IPv6 is switched off here: what the neighbours say over it is discarded, and no loss.
UPDATE snmp SET ip6_in_receives = 400, ip6_in_delivers = 3, ip6_in_discards = 397 WHERE netns = 'host';
