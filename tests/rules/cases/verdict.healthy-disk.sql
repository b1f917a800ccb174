-- The disk is busy, programs wait for it, and nothing is lost.
UPDATE disk SET time_io_ms = 990, sectors_written = 300000;
UPDATE pressure SET some_total_us = 600000, full_total_us = 300000 WHERE resource = 'io';
UPDATE cpu SET idle = 33, iowait = 30;
