-- kind   capture
-- steps  8 60000
-- base   none
-- What its process waits for is not in the input; the counters of UDP are, and tell the loss.
INSERT INTO program_queue(step, program, queue, entries, highest, enqueued)
SELECT step, 'rsyslogd', 'main Q', MIN(100000, step * 16000), MIN(100000, step * 16000), CASE WHEN step < 7 THEN 28500 ELSE 30 END
FROM step;
INSERT INTO snmp(step, netns, udp_in_datagrams, udp_in_errors, udp_rcvbuf_errors)
SELECT step, 'host', CASE WHEN step < 7 THEN 28500 ELSE 30 END, CASE WHEN step < 7 THEN 0 ELSE 28470 END,
       CASE WHEN step < 7 THEN 0 ELSE 28470 END FROM step;
