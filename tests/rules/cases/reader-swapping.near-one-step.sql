-- kind   capture
-- steps  1 30000
-- base   none
-- A hundred pages a second, and nothing is there to compare it with.
INSERT INTO cpu(step, cpu, user, nice, system, idle, iowait, irq, softirq, steal) VALUES (1, 0, 150, 0, 210, 2600, 40, 0, 0, 0);
INSERT INTO memory(step, scope, pswpin, pswpout) VALUES (1, 'host', 3000, 6000);
INSERT INTO snmp(step, netns, udp_in_datagrams, udp_in_errors, udp_rcvbuf_errors) VALUES (1, 'host', 100000, 8000, 8000);
