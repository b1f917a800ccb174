-- Half of the table.
UPDATE conntrack SET count = 131000;
