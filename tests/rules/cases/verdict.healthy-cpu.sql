-- All CPUs are busy, programs wait for them, and nothing is lost.
UPDATE cpu SET user = 85, system = 8, softirq = 7, idle = 0;
UPDATE pressure SET some_total_us = 800000 WHERE resource = 'cpu';
