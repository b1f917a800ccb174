-- Drops with a table that is nearly empty: a clash, not a full table.
UPDATE conntrack SET "drop" = 1, insert_failed = 1 WHERE step % 10 = 0;
