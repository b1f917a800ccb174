-- A file system without a limit of files (btrfs).
UPDATE mount SET fstype = 'btrfs', inodes = 0, inodes_used = 0;
