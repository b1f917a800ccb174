-- kind capture
-- steps 1 5000
-- base none
-- A short burst against a ring of 512.
INSERT INTO nic(step, netns, interface, driver, rx_ring, rx_ring_max, ring_drops) VALUES (1, 'host', 'eth0',
    'igb', 512, 8160, 3238);
INSERT INTO snmp(step, netns, udp_in_datagrams, udp_in_errors, udp_rcvbuf_errors) VALUES (1, 'host', 20000, 0,
    0);
