-- kind since-boot
-- A kernel without MemErrors: part of the errors stays without a name.
UPDATE snmp SET udp_in_datagrams = 653000000, udp_in_errors = 145418581, udp_rcvbuf_errors = 143350293,
    udp_no_ports = 21890889,
       udp_mem_errors = NULL, udp6_mem_errors = NULL;
