-- One of two CPUs takes most of next to nothing.
UPDATE softnet SET processed = CASE cpu WHEN 0 THEN 90 ELSE 1 END;
