-- kind   capture
-- steps  1 30000
-- base   none
-- Two looks half a minute apart, between which the CPUs waited for a disk at its limit.
INSERT INTO cpu(step, cpu, user, nice, system, idle, iowait, irq, softirq, steal) VALUES (1, 0, 60, 0, 90, 450, 2400, 0, 0, 0);
INSERT INTO disk(step, device, time_io_ms, sectors_read, sectors_written) VALUES (1, 'sdb', 29700, 480, 600000);
INSERT INTO snmp(step, netns, udp_in_datagrams, udp_in_errors, udp_rcvbuf_errors) VALUES (1, 'host', 100000, 8000, 8000);
