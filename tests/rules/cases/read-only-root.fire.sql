-- The root file system was remounted after an error.
UPDATE mount SET read_only = 1;
