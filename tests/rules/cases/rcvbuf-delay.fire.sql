-- base   reader
-- A buffer of 32 MiB, three quarters full: nothing is lost, and everything is old.
UPDATE sysctl SET rmem_max_bytes = 16777216 WHERE netns = 'host';
UPDATE socket SET rcvbuf_bytes = 33554432, rmem_bytes = 25000000, queue_bytes = 24000000 + 10000 * step, queue_peak_bytes = 25000000, looks = 0, looks_full = 0, looks_empty = 0;
