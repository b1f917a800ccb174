-- Two percent of all packets.
UPDATE snmp SET ip_in_hdr_errors = 450 WHERE netns = 'host';
