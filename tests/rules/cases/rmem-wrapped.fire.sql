-- base   reader
-- The kernel's count of the receive memory has become negative.
UPDATE socket SET rmem_bytes = 4294900000 WHERE step > 5;
