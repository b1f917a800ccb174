-- This host forwards nothing: the datagrams are its own.
UPDATE snmp SET ip_frag_fails = 40 WHERE netns = 'host';
