-- kind   capture
-- steps  1 5000
-- base   none
-- The CPUs wait for disks.
INSERT INTO cpu(step, cpu, user, nice, system, idle, iowait, irq, softirq, steal) VALUES (1, -1, 0, 0, 1, 9281, 718, 0, 0, 0);
