-- kind since-boot
-- base none
-- A sensor's driver behind the kernel's default buffer: a small share is lost.
INSERT INTO snmp(step, netns, udp_in_datagrams, udp_no_ports, udp_in_errors, udp_out_datagrams,
    udp_rcvbuf_errors, udp_sndbuf_errors, udp_in_csum_errors, udp_ignored_multi, udp_mem_errors)
VALUES (1, 'host', 9000000, 0, 5525, 100000, 5525, 0, 0, 0, 0);
INSERT INTO sysctl(step, netns, rmem_default_bytes, rmem_max_bytes) VALUES (1, 'host', 212992, 212992);
