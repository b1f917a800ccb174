-- All packets on CPU 0, nothing lost.
UPDATE softnet SET processed = CASE cpu WHEN 0 THEN 22300 ELSE 100 END, time_squeeze = CASE cpu WHEN 0 THEN 3
    ELSE 0 END;
