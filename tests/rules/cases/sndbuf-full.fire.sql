-- A sender that does not wait until its socket is writable.
UPDATE snmp SET udp_sndbuf_errors = 25, ip_out_discards = 25 WHERE netns = 'host';
