-- kind since-boot
-- As many ICMP unreachables sent and received as datagrams found no port: a sender on this host.
UPDATE snmp SET udp_in_datagrams = 1393930905, udp_no_ports = 76606038, icmp_out_dest_unreachs = 76606062,
    icmp_in_dest_unreachs = 77155204;
