-- kind   capture
-- steps  8 60000
-- base   none
-- The main queue of rsyslogd fills while its threads wait for a disk, then takes nothing any more.
INSERT INTO program_queue(step, program, queue, entries, highest, enqueued)
SELECT step, 'rsyslogd', 'main Q', MIN(100000, step * 16000), MIN(100000, step * 16000), CASE WHEN step < 7 THEN 28500 ELSE 30 END
FROM step;
INSERT INTO process(step, pid, comm, state) VALUES (8, 1284, 'rsyslogd', 'D');
