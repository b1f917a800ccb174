-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       reader-not-reading
-- kind       cause
-- explains   socket-queue
-- after      reader-stopped reader-blocked-disk reader-disk-full reader-swapping reader-throttled reader-blocked-other
-- severity   warning
-- title      {program} holds {ports} open and never reads{place}
-- needs      socket.drops socket.queue_bytes
-- when       EXISTS (SELECT 1 FROM receiver)
-- param      certain = 0.95        nothing is read, and its process does nothing else either
-- param      active = 0.7          nothing is read of it, but its process is busy with something else
-- param      unseen = 0.5          its process is not seen: it may be stopped, or blocked
-- param      one_look = 0.3        a single look finds the queue full
-- param      lock = 0.6            the factor where it waits for a lock, which another may hold too long
-- param      looks = 3             steps in which the queue must stand still
-- param      many = 10             steps in which it may also have grown
-- param      busy = 0.5            share of time from which its process surely reads, where anything is read
-- param      full = 0.95           of the looks that found the queue full
-- param      idle = 0.02           share of time in which a process runs that does nothing
-- param      awake = 2             voluntary switches a second of a process that does nothing
-- evidence   queue_bytes bytes {queue_bytes} wait in its queue, and nothing was taken out in {observed_s}
-- evidence   full_share ratio its queue was full in {full_share} of {queue_looks} looks, and never empty
-- evidence   read_nothing flag nothing at all was read {where_read}
-- evidence   run_share ratio its process is alive, state {state}{stands_in}, and runs {run_share} of the time
-- evidence   lost_rate datagrams/s all that comes is lost: {lost_rate}
-- evidence   owner_names - the socket is held by {owner_names}: perhaps inherited, and forgotten
-- against    unseen flag what its process does is not seen{unseen_why}
-- against    lock - it waits in {lock}: it may be stuck there instead
-- against    snapshot flag one look: only a second one tells whether it reads
-- do         Find out whether the program should read it: a socket bound or a group joined and forgotten, a thread
--            that ended
-- do         See what it does || grep . /proc/{seen_pid}/task/*/comm /proc/{seen_pid}/task/*/wchan
-- do         If nobody needs it: close the port in the program, or restart it || systemctl restart {restart_unit}
-- do         If it matters to nobody, nothing: other sockets lose nothing by it, it only pins {rmem_bytes}
-- not        A bigger buffer: it only pins more memory; {rcvbuf_bytes} are full after {fill_ms}, for good
-- not        CPU, disk or network: the program does not ask for these datagrams
-- ruled-out  every lossy socket was read
-- ref        net/ipv4/udp.c udp_skb_destructor(): what is read leaves the queue at once, so a queue that never
--            shrinks is not read
WITH hindered AS ( -- others say why it does not read
    SELECT DISTINCT receiver FROM stall WHERE kind IN ('stopped', 'disk', 'swap', 'throttled',
           'delay') AND coincident_share >= 0.5),
asked AS (
    SELECT receiver, netns FROM receiver WHERE queue_bytes > 0 AND COALESCE(looks_empty, 0) = 0
        AND receiver NOT IN (SELECT receiver FROM hindered)),
queues AS (
    SELECT receiver, queue_bytes, seconds, looks_empty, lost,
           queue_bytes - LAG(queue_bytes) OVER (PARTITION BY receiver ORDER BY step) AS grown
    FROM receiver_step CROSS JOIN asked USING (receiver) WHERE queue_bytes IS NOT NULL),
still AS (
    SELECT receiver, COUNT(*) AS n_steps, MIN(grown) AS least, MAX(queue_bytes) = MIN(queue_bytes) AS is_pinned,
           SUM(seconds) AS observed_s, SUM(looks_empty) AS n_empty,
           SUM(lost > 0) AS lossy FROM queues GROUP BY receiver),
reads AS (
    SELECT receiver, SUM(COALESCE(udp_in_datagrams, 0) + COALESCE(udp6_in_datagrams, 0)) AS n_read
    FROM asked JOIN snmp USING (netns) GROUP BY receiver),
told AS (
    SELECT *, COALESCE(run_share < :idle AND COALESCE(switch_rate, 0) < :awake, 0) AS is_idle,
           CASE WHEN stands_in LIKE 'futex%' THEN stands_in END AS lock_name
    FROM still JOIN receiver USING (receiver) JOIN lossy_mean USING (receiver) LEFT JOIN reads USING (receiver), window
    WHERE COALESCE(n_empty, 0) = 0 AND COALESCE(full_share, 1) >= :full
        AND CASE WHEN kind = 'since-boot' OR steps = 1 THEN queue_bytes >= 0.9 * rcvbuf_bytes
                 ELSE n_steps >= :looks AND lossy >= :looks AND least >= 0 AND (is_pinned OR n_steps >= :many) END
        -- of what is counted since boot nobody knows when it was read
        AND (n_read = 0 OR COALESCE(run_share, 0) < :busy AND (n_read IS NULL OR kind <> 'since-boot' AND steps > 1)))
SELECT netns, address, port, process, pid, unit, container, subject_lost AS lost, subject_lost,
       CASE WHEN kind = 'since-boot' OR steps = 1 THEN :one_look WHEN NOT seen THEN :unseen
            WHEN is_idle OR n_read = 0 THEN :certain ELSE :active END
           * CASE WHEN lock_name IS NOT NULL AND (threads = 1 OR readers > 0 OR n_read > 0) THEN :lock ELSE 1
               END AS confidence,
       COALESCE(process, 'A program') AS program, ports, place, queue_bytes, rcvbuf_bytes, rmem_bytes, observed_s,
       CASE WHEN kind <> 'since-boot' THEN full_share END AS full_share, queue_looks,
       CASE WHEN n_read = 0 THEN 1 END AS read_nothing,
       CASE netns WHEN 'host' THEN 'on this host' ELSE 'in its namespace' END AS where_read,
       CASE WHEN seen AND kind <> 'since-boot' THEN run_share END AS run_share, state,
       COALESCE(' in ' || stands_in, '') AS stands_in, CASE WHEN kind <> 'since-boot' THEN lost_rate
           END AS lost_rate, owner_names,
       CASE WHEN NOT seen THEN 1 END AS unseen,
       CASE owner_state WHEN 'denied' THEN ' (as root it can be)' ELSE '' END AS unseen_why, lock_name AS lock,
       CASE WHEN kind = 'since-boot' THEN 1 END AS snapshot, CASE WHEN seen THEN pid END AS seen_pid,
           unit AS restart_unit,
       1000.0 * rcvbuf_bytes / (truesize * lost_rate) AS fill_ms
FROM told;
