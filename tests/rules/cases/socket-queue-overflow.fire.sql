-- A reader that is always a little too slow; nothing else of the host stands out, and the loss never stops.
UPDATE snmp SET udp_in_datagrams = 15000, udp_in_errors = 1000, udp_rcvbuf_errors = 1000;
