-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       shared-socket-contention
-- kind       cause
-- explains   socket-queue
-- after      reader-stopped reader-throttled
-- severity   warning
-- title      {several_readers} read one socket of {program} ({ports}) and get into each other's way{place}
-- needs      socket.drops owner process.switches_voluntary process.readers
-- when       EXISTS (SELECT 1 FROM receiver)
-- param      certain = 0.85
-- param      unseen = 0.8          the factor where its threads are many, but were not seen to read
-- param      switches = 2          of its threads for each datagram that is read: each is woken for nothing
-- param      readers = 2           that share the socket at least
-- param      gentle = 300000       datagrams a second that one thread reads alone; from there on it is no contention
-- evidence   n_readers threads {several_readers} read the same socket
-- evidence   switch_factor switches they give up the CPU {switch_factor} times for each datagram read (once or less is
--            usual)
-- evidence   read_rate datagrams/s together they read at most {read_rate}: a thread alone reads several 100,000 of
--            small ones
-- evidence   cpus_used CPUs they use {cpus_used} CPUs for it
-- evidence   lost_rate datagrams/s {lost_rate} more come in the steps with loss
-- evidence   owner_names - the socket is held by {owner_names}
-- against    unseen_readers flag how many of its threads read was not seen: it has {threads}
-- do         One socket for each thread: SO_REUSEPORT on port {port}, the kernel then shares the flows out
-- do         Or one port for each, or one thread that reads (recvmmsg) and hands over in batches
-- not        More threads on this socket: each one more makes all of them slower
-- not        A bigger buffer: {rcvbuf_bytes} last {hold_ms} at {lost_rate} too many
-- ruled-out  no lossy socket was fought over by several readers
-- ref        net/ipv4/udp.c __skb_recv_udp(): one lock of the reader's queue; wake-ups of all that wait
WITH holders AS ( -- in the steps with loss, all processes that hold the socket
    SELECT l.receiver, COUNT(DISTINCT o.pid) AS n_holders, COUNT(DISTINCT CASE WHEN p.looks_receiving > 0
               OR p.readers > 0 THEN o.pid END) AS n_receiving, MAX(w.readers) AS n_reading_threads,
           SUM(p.switches_voluntary) AS switches, -- those whose time is up were not woken for nothing
           SUM(p.run_us) / 1e6 AS run_s
    FROM (SELECT receiver, step FROM receiver_step WHERE lost > 0) s
    CROSS JOIN (SELECT DISTINCT receiver, inode FROM lossy_socket WHERE inode > 0) l USING (receiver)
    CROSS JOIN owner o ON o.inode = l.inode
    CROSS JOIN process_step p ON p.step = s.step AND p.pid = o.pid AND p.start_time = o.start_time
    CROSS JOIN process w ON w.pid = o.pid AND w.start_time = o.start_time
    GROUP BY l.receiver),
told AS (
    SELECT *, CASE WHEN n_reading_threads >= :readers THEN n_reading_threads WHEN n_receiving >= :readers
           THEN n_receiving END
               AS seen_readers,
           switches / lossy_s / NULLIF(read_rate, 0) AS switch_factor
    FROM receiver JOIN lossy_mean USING (receiver) JOIN holders USING (receiver)
    WHERE seen AND sockets = 1 AND subject_lost > 0)
SELECT netns, address, port, process, pid, unit, container, subject_lost AS lost, subject_lost,
       :certain * MIN(1, 0.7 + 0.1 * switch_factor) * CASE WHEN seen_readers IS NULL THEN :unseen ELSE 1
           END AS confidence,
       COALESCE(seen_readers, threads) AS n_readers,
       COALESCE(seen_readers, threads) || CASE WHEN n_reading_threads >= :readers OR seen_readers IS NULL
           THEN ' threads'
           ELSE ' processes' END AS several_readers,
       COALESCE(process, 'one program') AS program, ports, place, switch_factor, read_rate, ROUND(run_s / lossy_s,
           1) AS cpus_used,
       lost_rate, owner_names, CASE WHEN seen_readers IS NULL THEN 1 END AS unseen_readers, threads, rcvbuf_bytes,
       1000.0 * rcvbuf_bytes / (truesize * lost_rate) AS hold_ms
FROM told, window
WHERE kind <> 'since-boot' AND switch_factor >= :switches AND read_rate < :gentle
    AND (seen_readers IS NOT NULL OR n_reading_threads IS NULL AND threads >= :readers);
