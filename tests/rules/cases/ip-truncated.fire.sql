-- Two percent of all packets.
UPDATE snmp SET ip_ext_in_truncated_pkts = 450 WHERE netns = 'host';
