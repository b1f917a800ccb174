-- One busy CPU, and nothing lost.
UPDATE softnet SET processed = CASE cpu WHEN 0 THEN 80000 ELSE 100 END;
UPDATE cpu SET softirq = 92, user = 3, system = 3, idle = 2 WHERE cpu = 0;
