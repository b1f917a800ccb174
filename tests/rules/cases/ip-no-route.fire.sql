-- Two percent of all packets.
UPDATE snmp SET ip_ext_in_no_routes = 450 WHERE netns = 'host';
