-- kind   capture
-- steps  1 30000
-- base   none
-- Two looks half a minute apart, between which two thousand pages a second came back from swap. No /proc/pressure.
INSERT INTO cpu(step, cpu, user, nice, system, idle, iowait, irq, softirq, steal) VALUES (1, 0, 150, 0, 210, 600, 2040, 0, 0, 0);
INSERT INTO memory(step, scope, pswpin, pswpout) VALUES (1, 'host', 60000, 66000);
INSERT INTO snmp(step, netns, udp_in_datagrams, udp_in_errors, udp_rcvbuf_errors) VALUES (1, 'host', 100000, 8000, 8000);
