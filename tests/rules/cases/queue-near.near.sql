-- base   reader
-- One burst that fitted.
UPDATE socket SET queue_peak_bytes = 191000 WHERE step = 12;
