-- kind   capture
-- steps  1 5000
-- base   none
-- Idle CPUs are all that the input has.
INSERT INTO cpu(step, cpu, user, nice, system, idle, iowait, irq, softirq, steal) VALUES (1, -1, 0, 0, 1, 9981, 18, 0, 0, 0);
