-- A service went away ten seconds ago; a thousand datagrams a second keep coming for it.
UPDATE snmp SET udp_no_ports = 1000, icmp_out_dest_unreachs = 1 WHERE netns = 'host' AND step > 50;
