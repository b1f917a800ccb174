-- A service of this host is gone, and another's buffer is too small for its bursts.
UPDATE snmp SET udp_no_ports = 900, icmp_out_dest_unreachs = 900,
    icmp_in_dest_unreachs = 905 WHERE netns = 'host';
UPDATE snmp SET udp_in_datagrams = 58000, udp_in_errors = 2000, udp_rcvbuf_errors = 2000 WHERE netns = 'host'
    AND step % 10 = 0;
