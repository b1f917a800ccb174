-- base   reader
-- A socket has nothing to tell any more, since all is well with it; a scan goes on all the time.
DELETE FROM socket WHERE step > 30;
UPDATE snmp SET udp_no_ports = 2 WHERE netns = 'host';
