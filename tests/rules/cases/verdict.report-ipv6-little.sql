-- kind capture
-- steps 1 1000
-- base none
-- The same host while the flood dies earlier: 0.3 % at the socket, the rest is not in this data.
INSERT INTO snmp(step, netns, udp6_in_datagrams, udp6_in_errors, udp6_rcvbuf_errors) VALUES (1, 'host', 1004179,
    3117, 3117);
