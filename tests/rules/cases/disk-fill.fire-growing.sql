-- steps 600 1000
-- kind history
-- It grows by 1 MB a second.
UPDATE mount SET used_bytes = 85000000000 + step * 1000000, available_bytes = 15000000000 - step * 1000000;
