-- kind   capture
-- steps  1 30000
-- base   none
-- Two looks half a minute apart: of the time between them three quarters were stolen.
INSERT INTO cpu(step, cpu, user, nice, system, idle, iowait, irq, softirq, steal) VALUES (1, 0, 540, 0, 150, 60, 0, 0, 0, 2250);
INSERT INTO snmp(step, netns, udp_in_datagrams, udp_in_errors, udp_rcvbuf_errors) VALUES (1, 'host', 100000, 8000, 8000);
