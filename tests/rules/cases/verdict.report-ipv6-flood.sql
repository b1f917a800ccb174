-- kind capture
-- steps 1 1000
-- base none
-- One second of a flood over IPv6 at one socket.
INSERT INTO snmp(step, netns, udp6_in_datagrams, udp6_in_errors, udp6_rcvbuf_errors) VALUES (1, 'host', 855592,
    5621467, 5621467);
