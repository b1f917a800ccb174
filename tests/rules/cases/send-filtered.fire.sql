-- A firewall rule on the way out.
UPDATE snmp SET ip_out_discards = 400 WHERE netns = 'host';
