-- kind   capture
-- steps  8 60000
-- base   none
-- A queue that was full once, and is worked off.
INSERT INTO program_queue(step, program, queue, entries, highest, enqueued)
SELECT step, 'rsyslogd', 'main Q', 120, 1975, 28500 FROM step;
