-- The queue overflows without the flow limit.
UPDATE softnet SET dropped = 800 WHERE cpu = 2 AND step > 30;
