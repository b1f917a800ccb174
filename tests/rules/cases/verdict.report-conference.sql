-- kind capture
-- steps 3 60000
-- base none
-- Three minutes of a conference server: loss only in the busiest.
INSERT INTO snmp(step, netns, udp_in_datagrams, udp_no_ports, udp_in_errors, udp_out_datagrams,
    udp_rcvbuf_errors, udp_sndbuf_errors, udp_in_csum_errors)
VALUES (1, 'host', 31000, 0, 0, 22000, 0, 0, 0), (2, 'host', 42000, 0, 0, 30000, 0, 0, 0),
    (3, 'host', 85857, 0, 749, 51920, 749, 0, 0);
