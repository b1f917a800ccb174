-- kind   capture
-- steps  1 30000
-- base   none
-- A fifth was stolen, and nothing is there to compare it with.
INSERT INTO cpu(step, cpu, user, nice, system, idle, iowait, irq, softirq, steal) VALUES (1, 0, 540, 0, 150, 1710, 0, 0, 0, 600);
INSERT INTO snmp(step, netns, udp_in_datagrams, udp_in_errors, udp_rcvbuf_errors) VALUES (1, 'host', 100000, 8000, 8000);
