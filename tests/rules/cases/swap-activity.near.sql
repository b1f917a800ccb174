-- Swap is in use and quiet.
UPDATE memory SET swap_free_bytes = 300000000;
UPDATE memory SET pswpout = 4000 WHERE step = 3;
