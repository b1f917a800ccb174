-- The table is full, new flows are dropped.
UPDATE conntrack SET count = 262144, "drop" = 150, early_drop = 3 WHERE step > 30;
