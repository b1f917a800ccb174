-- kind since-boot
-- base none
-- mpstat alone: the CPUs are idle.
INSERT INTO cpu(step, cpu, user, nice, system, idle, iowait, irq, softirq, steal) VALUES (1, 0, 1, 0, 0, 9981,
    18, 0, 0, 0);
