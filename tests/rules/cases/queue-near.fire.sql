-- base   reader
-- The queue is filled to nine tenths now and then, and nothing is lost yet.
UPDATE socket SET queue_peak_bytes = 191000 WHERE step % 12 = 0;
