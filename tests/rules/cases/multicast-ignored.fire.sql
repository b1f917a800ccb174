-- Multicast of groups that other programs of this host joined.
UPDATE snmp SET udp_ignored_multi = 40 WHERE netns = 'host';
