-- One CPU takes all packets and is busy with them, and one in a thousand is lost: a burst.
UPDATE softnet SET processed = CASE cpu WHEN 1 THEN 80000 ELSE 100 END;
UPDATE softnet SET dropped = 80 WHERE cpu = 1 AND step % 10 = 0;
UPDATE cpu SET softirq = 70, user = 10, system = 10, idle = 10 WHERE cpu = 1;
