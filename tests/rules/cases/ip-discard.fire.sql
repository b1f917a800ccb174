-- Two percent of all packets.
UPDATE snmp SET ip_in_discards = 450 WHERE netns = 'host';
