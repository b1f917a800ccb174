-- Receive rounds are cut short, and nothing is dropped.
UPDATE softnet SET time_squeeze = 20;
