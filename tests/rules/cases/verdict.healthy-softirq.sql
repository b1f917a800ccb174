-- One CPU is filled by packet reception, its rounds are cut short, and nothing is lost.
UPDATE cpu SET user = 3, system = 5, softirq = 88, idle = 4 WHERE cpu = 1;
UPDATE softnet SET processed = CASE cpu WHEN 1 THEN 22000 ELSE 200 END, time_squeeze = CASE cpu WHEN 1 THEN 40
    ELSE 0 END;
