-- Every discard is a full send buffer.
UPDATE snmp SET ip_out_discards = 400, udp_sndbuf_errors = 400 WHERE netns = 'host';
