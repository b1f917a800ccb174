-- kind since-boot
-- The table is full at the only look.
UPDATE conntrack SET count = 262144, "drop" = 15000, early_drop = 300;
