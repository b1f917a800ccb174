-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       reader-overload
-- kind       cause
-- explains   socket-queue
-- after      reader-stopped reader-throttled reader-softirq shared-socket-contention reuseport-imbalance
-- severity   critical
-- title      {reader}: all readers are at their limit, more comes than they can take{place}
-- needs      socket.drops owner process.run_us|process.user_us
-- when       EXISTS (SELECT 1 FROM receiver)
-- param      certain = 0.9
-- param      few = 0.5            share of the loss that must fall into the steps in which they were busy
-- param      delayed = 0.7        share of time waiting for a CPU from which others have most of the CPUs
-- param      all = 0.75           of the CPUs or of its readers that must be at their limit
-- evidence   busy_readers readers all {busy_readers} readers of {ports} run {lossy_share} of the time: {names}
-- evidence   cpus_used CPUs they use {cpus_used} of {cpus} CPUs in the steps with loss
-- evidence   coincident_share ratio {coincident_share} of the loss falls into these steps
-- evidence   excess_share ratio {lost_rate} are lost beside {read_rate} that are read {where_read}: {excess_share}
--            too many
-- evidence   lossy_steps steps lost in {lossy_steps} of {steps} steps
-- evidence   idle_share ratio the CPUs together are idle {idle_share} then
-- do         Scale out: more hosts, or fewer datagrams (sample, aggregate or filter at the sender)
-- do         Shed load on purpose, so that what matters survives: limit what comes to {ports} in front of it
--            (nftables limit rate over {limit_rate:raw}/second drop)
-- do         Add readers: {room_cpus} CPUs are idle{more_room}
-- do         Make each datagram cheaper for all of them: recvmmsg, UDP_GRO, less work per datagram
-- not        A bigger buffer: more comes than is read, so any buffer stays full and only adds delay ({rcvbuf_bytes}
--            are {held_ms} or more)
-- not        Optimising one of the threads: all of them are full
-- ruled-out  no port lost datagrams with all its readers at their limit
-- ref        throughput flat at its ceiling while all readers run: Documentation/scheduler/sched-stats.rst
WITH told AS ( -- readers at their limit: the reading thread, or all CPUs by many threads
    SELECT r.*, m.*, COALESCE(b.lost, subject_lost) AS lost, COALESCE(b.fit, 0.95) AS fit, b.receiver IS NOT NULL
           AS busy,
           COALESCE(b.lossy_share, m.run_share) AS lossy_share, COALESCE(b.coincident_share,
               1.0) AS coincident_share, cpus,
           cpus_used >= :all * MAX(2, MIN(cpus, CASE WHEN readers > 1 THEN readers ELSE cpus END)) AS everywhere
    FROM receiver r JOIN lossy_mean m USING (receiver)
    LEFT JOIN (SELECT * FROM stall WHERE kind = 'run' AND coincident_share >= :few) b USING (receiver),
        (SELECT COUNT(*) AS cpus FROM cpu)
    WHERE subject_lost > 0 AND COALESCE(m.delay_share, 0) < :delayed),
ports AS ( -- several processes
    SELECT netns, address, port, COUNT(*) AS busy_readers, SUM(lost) AS lost, SUM(subject_lost) AS subject_lost,
           AVG(fit) AS fit, AVG(lossy_share) AS lossy_share, AVG(coincident_share) AS coincident_share, cpus,
           SUM(cpus_used) AS cpus_used, SUM(lost_rate) AS lost_rate, MAX(read_rate) AS read_rate,
           MAX(n_lossy) AS lossy_steps, AVG(idle_share) AS idle_share, SUM(rcvbuf_bytes) AS rcvbuf_bytes, truesize,
           GROUP_CONCAT(COALESCE(process || ' ', 'pid ') || pid, ', ') AS names, process, unit, container,
           COALESCE(MIN(process), 'Port') || ' (' || ports || ')' AS reader, ports, place
    FROM told WHERE busy AND port IS NOT NULL GROUP BY netns, address, port HAVING COUNT(*) > 1 AND COUNT(*) = (
        SELECT COUNT(*) FROM receiver o WHERE o.netns = told.netns AND o.address = told.address
               AND o.port = told.port)),
cases AS (
    SELECT netns, address, port, busy_readers, lost, subject_lost, fit, lossy_share, coincident_share, cpus, cpus_used,
           lost_rate, read_rate, lossy_steps, idle_share, rcvbuf_bytes, truesize, names, process, unit, container,
           NULL AS pid, reader, ports, place FROM ports p
    UNION ALL
    SELECT netns, address, port, NULL, lost, subject_lost, fit, lossy_share, coincident_share, cpus, cpus_used,
           lost_rate,
           read_rate, n_lossy, idle_share, rcvbuf_bytes, truesize, NULL, process, unit, container, pid, reader,
               ports, place
    FROM told t
    WHERE everywhere AND NOT EXISTS (SELECT 1 FROM ports p WHERE p.netns = t.netns AND p.address = t.address
        AND p.port = t.port))
SELECT netns, address, port, process, pid, unit, container, lost, subject_lost, :certain * fit AS confidence,
       reader, ports, place,
       busy_readers, names, lossy_share, ROUND(cpus_used, 1) AS cpus_used, cpus, coincident_share, lost_rate, read_rate,
       lost_rate / NULLIF(read_rate, 0) AS excess_share, lossy_steps, steps, idle_share,
       CASE netns WHEN 'host' THEN 'on this host' ELSE 'in its namespace' END AS where_read, rcvbuf_bytes,
       1000.0 * rcvbuf_bytes / (truesize * read_rate) AS held_ms, CAST(read_rate / 100 AS INTEGER) * 100 AS limit_rate,
       CAST(idle_share * cpus AS INTEGER) AS room_cpus, CASE WHEN idle_share * cpus >= 1 THEN '' END AS more_room
FROM cases, window;
