-- One CPU takes all packets and loses some of a burst, with time to spare.
UPDATE softnet SET processed = CASE cpu WHEN 1 THEN 80000 ELSE 100 END;
UPDATE softnet SET dropped = 20000 WHERE cpu = 1 AND step % 10 = 0;
UPDATE cpu SET softirq = 30, user = 10, system = 10, idle = 50 WHERE cpu = 1;
