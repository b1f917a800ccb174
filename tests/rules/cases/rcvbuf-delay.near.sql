-- base   reader
-- As large a buffer, filled for a moment only.
UPDATE sysctl SET rmem_max_bytes = 16777216 WHERE netns = 'host';
UPDATE socket SET rcvbuf_bytes = 33554432;
UPDATE socket SET rmem_bytes = 25000000, queue_bytes = 24000000, queue_peak_bytes = 25000000 WHERE step IN (20, 40);
