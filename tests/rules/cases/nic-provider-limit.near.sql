-- The ring overflows; no allowance is exceeded.
UPDATE nic SET driver = 'ena', ring_drops = 500 WHERE step = 30;
