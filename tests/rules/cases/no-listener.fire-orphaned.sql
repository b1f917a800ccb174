-- base   reader
-- The reader of port 514 dies ten seconds before the end; a trickle keeps coming for it from another host.
DELETE FROM socket WHERE step > 50;
DELETE FROM owner WHERE step > 50;
DELETE FROM process WHERE step > 50 AND pid = 812;
UPDATE snmp SET udp_in_datagrams = 11000, udp_no_ports = 9, icmp_out_dest_unreachs = 1 WHERE netns = 'host' AND step > 50;
