-- A resolver whose clients are gone when late answers come: 30 a second among 20,000.
UPDATE snmp SET udp_no_ports = 30, icmp_out_dest_unreachs = 1 WHERE netns = 'host';
