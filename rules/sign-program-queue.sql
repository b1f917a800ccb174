-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       sign-program-queue
-- kind       sign
-- under      {cause:raw}
-- explains   socket-queue
-- severity   warning
-- title      {program} stops reading: its own queue {queue} is full
-- needs      program_queue.entries
-- param      stuck = 0.75          and its process is seen waiting for the disk (state D)
-- param      likely = 0.55         why the queue is not worked off is not seen
-- param      full = 0.98           of the most that was ever in it
-- param      least = 1000          entries from which it is a queue that matters
-- param      stalled = 0.25        of what was put in before: it takes no more
-- evidence   entries entries {entries} are in it, as many as ever: its limit{since}
-- evidence   stalled_share ratio of what it took at first, {taken} entries a look, it took {stalled_share} at last: it no
--            longer asks the socket
-- evidence   state - its process {pid_text} is in state {state}: it waits for a disk or a file server
-- evidence   times_full times it was at its limit {times_full} times
-- evidence   discarded entries {discarded} entries were thrown away
-- against    unseen flag what its process waits for is not seen
-- do         See which disk is busy, and whether the kernel reports errors of it || iostat -xz 1 5
-- do         See where it is stuck, as root || grep . /proc/{stuck_pid}/task/*/stat /proc/{stuck_pid}/task/*/wchan
-- do         Give the slow output a queue of its own on disk, or let it discard: queue.type, queue.discardMark in rsyslog.conf
-- not        A bigger socket buffer: {program} does not read, so it is full again after a moment
-- not        Less traffic: what came in was steady{steady}
-- ruled-out  no program reports a full queue of its own
-- ref        rsyslog impstats: size, maxqsize, enqueued; an input waits when the main queue is full
WITH looks AS (
    SELECT program, queue, step, entries, enqueued,
           ROW_NUMBER() OVER (PARTITION BY program, queue ORDER BY step) AS nth,
           ROW_NUMBER() OVER (PARTITION BY program, queue ORDER BY step DESC) AS last
    FROM program_queue_step),
rates AS (
    SELECT program, queue, AVG(CASE WHEN last = 1 THEN enqueued END) AS at_last,
           MAX(enqueued) AS at_most, COUNT(*) AS n_looks
    FROM looks WHERE enqueued IS NOT NULL GROUP BY program, queue),
stuck AS (
    SELECT comm, MIN(pid) AS pid, state FROM process WHERE state LIKE 'D%' GROUP BY comm)
SELECT q.program, q.queue, q.program AS process, s.pid,
       CASE WHEN s.pid IS NULL THEN 'reader-blocked-other' ELSE 'reader-blocked-disk' END AS cause,
       (SELECT SUM(datagrams) FROM ledger WHERE locus = 'socket-queue') AS lost,
       CASE WHEN s.pid IS NOT NULL THEN :stuck ELSE :likely END AS confidence,
       q.entries, '' AS since, CASE WHEN r.at_last <= :stalled * r.at_most THEN 1.0 * r.at_last / r.at_most END AS stalled_share,
       CAST(r.at_most AS INTEGER) AS taken, s.state, 'pid ' || s.pid AS pid_text, s.pid AS stuck_pid,
       NULLIF(q."full", 0) AS times_full, NULLIF(q.discarded, 0) AS discarded,
       CASE WHEN s.pid IS NULL THEN 1 END AS unseen,
       CASE WHEN r.at_last <= :stalled * r.at_most THEN '' END AS steady
FROM program_queue q LEFT JOIN rates r USING (program, queue) LEFT JOIN stuck s ON s.comm = q.program
WHERE q.entries >= :least AND q.entries >= :full * q.highest_max
    AND (s.pid IS NOT NULL OR q."full" > 0 OR r.at_last <= :stalled * r.at_most);
