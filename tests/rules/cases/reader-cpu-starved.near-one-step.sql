-- kind   capture
-- steps  1 30000
-- base   none
-- They were idle a fifth of the time.
INSERT INTO cpu(step, cpu, user, nice, system, idle, iowait, irq, softirq, steal) VALUES (1, 0, 2100, 0, 300, 600, 0, 0, 0, 0);
INSERT INTO snmp(step, netns, udp_in_datagrams, udp_in_errors, udp_rcvbuf_errors) VALUES (1, 'host', 100000, 8000, 8000);
