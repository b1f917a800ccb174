-- A flow of its own fills more than half of the queue, and the limit is on.
UPDATE sysctl SET flow_limit_cpu_bitmap = 'f';
UPDATE softnet SET dropped = 800 WHERE cpu = 2 AND step > 30;
UPDATE softnet SET flow_limit_count = 800 WHERE cpu = 0 AND step > 30;
