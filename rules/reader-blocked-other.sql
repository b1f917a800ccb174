-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       reader-blocked-other
-- kind       cause
-- explains   socket-queue
-- after      reader-stopped shared-socket-contention reader-blocked-disk reader-disk-full reader-swapping reader-throttled
-- severity   warning
-- title      {reader} sleeps {in_something} while datagrams wait for it{place}
-- needs      socket.drops owner process.looks_sleeping
-- when       EXISTS (SELECT 1 FROM stall)
-- param      certain = 0.88
-- param      unread = 0.75         it was not seen reading at all: perhaps it never does
-- param      few_looks = 0.7       the factor where it was looked at less often than `looks`
-- param      looks = 10
-- param      coincident = 0.25     share of the loss that must fall into such steps
-- param      apart = 0.6           share of the loss-free steps above which it tells nothing
-- param      busy = 0.7            share of time from which its CPU is the reason
-- evidence   lossy_share ratio asleep in something else {lossy_share} of the time in the steps with loss, with
--            datagrams in its queue{others}
-- evidence   stands_in - it waits in {stands_in}: {meaning}
-- evidence   coincident_share ratio {coincident_share} of the loss falls into these steps
-- evidence   full_share ratio its queue was full in {full_share} of {queue_looks} looks, empty in {empty_share}
-- evidence   run_share ratio it runs {run_share} of the time, and waits for a CPU {delay_share}
-- evidence   owner_names - the socket is held by {owner_names}
-- against    never_read flag it was not seen reading this socket at all: perhaps it never does
-- against    few_looks looks it was looked at {few_looks} times only
-- do         See where it waits, thread by thread || grep . /proc/{pid}/task/*/wchan
-- do         And who holds what it waits for (the stacks of all its threads) ||
--            gdb -p {pid} -batch -ex "thread apply all bt"
-- do         See which calls take long || strace -f -T -p {pid}
-- do         {advice}
-- not        A bigger buffer: at {arrival_rate} its {rcvbuf_bytes} last {hold_ms}, it sleeps up to {longest_ms}; it
--            would take {needed_bytes} to bridge that
-- not        CPU or disk: it waits for neither
-- ruled-out  no reader slept in something else while its queue was not empty
-- ref        /proc/PID/task/TID/wchan; the names differ between kernels, the families do not
WITH emptied AS ( -- whether it reads at all
    SELECT receiver, SUM(shrunk) AS shrunk, SUM(looks_empty) AS n_empty, SUM(looks_receiving) AS receiving,
           SUM(looks) AS n_looks
    FROM (SELECT receiver, looks_empty, looks_receiving, looks,
                 queue_bytes < LAG(queue_bytes) OVER (PARTITION BY receiver ORDER BY step) AS shrunk FROM receiver_step)
    GROUP BY receiver),
told AS (
    SELECT *, COALESCE(shrunk > 0 OR n_empty > 0 OR readers > 0 OR looks_empty > 0, 0) AS reads FROM stall JOIN receiver USING (receiver)
    JOIN lossy_mean USING (receiver) JOIN emptied USING (receiver)
    WHERE kind = 'asleep' AND coincident_share >= :coincident AND COALESCE(elsewhere_share, 0) <= :apart
        AND COALESCE(run_share, 0) < :busy),
families(pattern, in_something, meaning, advice) AS (VALUES
    ('futex%', 'in a lock', 'a lock, or a queue between its threads',
     'Hold that lock for shorter, or hand datagrams over without one: reading must not wait for what is done with them'),
    ('%nanosleep%', 'on purpose', 'it sleeps for a set time',
        'Take the sleep out of the reading loop, or wait in poll'),
    ('%poll%', 'in poll', 'events of other files, such as an answer from a name server',
     'Poll the socket too; ask name servers in another thread, or cache their answers'),
    ('pipe%', 'in a pipe', 'a pipe to another program', 'Make that program faster, or its pipe non-blocking'),
    ('unix%', 'in a local socket', 'a local socket, such as that of the journal or a logger',
        'Log less, or to a socket that does not block'),
    ('%lock%', 'in a file lock', 'a lock of a file or in the kernel', 'Find who holds it: lslocks'),
    ('do_wait%', 'for a child', 'a child process to end', 'Do not wait for children in the thread that reads'),
    ('%sk_%', 'in another socket', 'another socket', 'Set that socket non-blocking, or serve it in another thread'),
    ('wait_woken', 'in another socket', 'another socket or terminal',
        'Set it non-blocking, or serve it in another thread')),
named AS (
    SELECT t.receiver, f.*, ROW_NUMBER() OVER (PARTITION BY t.receiver ORDER BY f.rowid) AS place
    FROM told t JOIN (SELECT ROW_NUMBER() OVER () AS rowid, * FROM families) f ON t.stands_in LIKE f.pattern)
SELECT netns, address, port, process, pid, unit, container, lost, subject_lost,
       CASE WHEN reads THEN :certain ELSE :unread END * fit * CASE WHEN n_looks < :looks THEN :few_looks ELSE 1
           END AS confidence,
       reader, COALESCE(in_something, 'in something else') AS in_something, place, lossy_share, others, stands_in,
       COALESCE(meaning, 'a function of the kernel') AS meaning, advice, coincident_share, full_share, queue_looks,
           empty_share,
       run_share, delay_share, owner_names, CASE WHEN NOT reads THEN 1 END AS never_read,
       CASE WHEN n_looks < :looks THEN n_looks END AS few_looks, arrival_rate, rcvbuf_bytes, hold_ms, longest_ms,
       CAST(arrival_rate * longest_ms / 1000 * truesize AS INTEGER) AS needed_bytes
FROM told LEFT JOIN (SELECT receiver, in_something, meaning, advice FROM named WHERE place = 1) USING (receiver)
WHERE reads OR stands_in LIKE 'futex%';
