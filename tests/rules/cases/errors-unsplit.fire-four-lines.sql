-- kind since-boot
-- base none
-- netstat of 2010: four lines, and the buffers of those days.
INSERT INTO snmp(step, netns, udp_in_datagrams, udp_no_ports, udp_in_errors, udp_out_datagrams) VALUES (1,
    'host', 2807000000, 27732564, 1629462811, 900000000);
INSERT INTO sysctl(step, netns, rmem_default_bytes, rmem_max_bytes) VALUES (1, 'host', 122880, 131071);
