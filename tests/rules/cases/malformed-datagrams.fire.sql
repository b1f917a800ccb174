-- Errors that are neither full buffer, nor checksum, nor memory.
UPDATE snmp SET udp_in_errors = 55, udp_rcvbuf_errors = 5 WHERE netns = 'host';
