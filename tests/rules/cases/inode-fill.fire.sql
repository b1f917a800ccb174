-- Many small files: space is left, inodes are not.
UPDATE mount SET inodes_used = 6100000;
