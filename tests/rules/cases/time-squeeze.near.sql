-- Once or twice an hour.
UPDATE softnet SET time_squeeze = 1 WHERE cpu = 1 AND step = 5;
