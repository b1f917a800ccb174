-- A service of this host is gone and its clients are here too: no scan.
UPDATE snmp SET udp_no_ports = 100, icmp_out_dest_unreachs = 100,
    icmp_in_dest_unreachs = 100 WHERE netns = 'host';
