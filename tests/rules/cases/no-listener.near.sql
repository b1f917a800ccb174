-- A slow scan: three datagrams a second, every second.
UPDATE snmp SET udp_no_ports = 3, icmp_out_dest_unreachs = 1 WHERE netns = 'host';
