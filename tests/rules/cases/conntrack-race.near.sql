-- The table is full.
UPDATE conntrack SET count = 262144, "drop" = 150, insert_failed = 20 WHERE step > 30;
