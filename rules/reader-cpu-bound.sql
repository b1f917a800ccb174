-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       reader-cpu-bound
-- kind       cause
-- explains   socket-queue
-- after      reader-stopped reader-throttled reader-softirq reuseport-imbalance shared-socket-contention
-- severity   warning
-- title      {reader} reads with one thread, which is at its limit{place}
-- needs      socket.drops owner process.run_us|process.user_us
-- when       EXISTS (SELECT 1 FROM stall)
-- param      certain = 0.9
-- param      few = 0.5            share of the loss that must fall into the steps in which the thread was busy
-- param      delayed = 0.15       share of time waiting for a CPU from which it is not its own work that counts
-- param      softirq = 0.4        share of its CPU's time in softirq, which is charged to whom it interrupts
-- param      unlooked = 0.85      the factor where its CPU's softirq time is not known
-- param      all = 0.75           of the CPUs or of its readers at their limit: then it is an overload
-- param      larger = 4           times the buffer, as an example of what it would do
-- evidence   lossy_share ratio its reading thread runs {lossy_share} of the time in the steps with loss{others}
-- evidence   coincident_share ratio {coincident_share} of the loss falls into steps in which it is busy
-- evidence   delay_share ratio it waits for a CPU only {delay_share} of the time
-- evidence   lost_rate datagrams/s {lost_rate} come that it does not get to; all that is read {where_read} is
--            {read_rate}
-- evidence   idle_share ratio the CPUs together are idle {idle_share} then: more threads would find room
-- evidence   hottest_name - its busiest thread of {threads} is {hottest_name}
-- evidence   owner_names - the socket is held by {owner_names}
-- against    softirq_share ratio {softirq_share} of CPU {lossy_cpu} is softirq, which counts as its run time
-- against    busy_quiet_share ratio it was as busy in {busy_quiet_share} of the steps without loss
-- do         See what it spends its time on || perf top -p {pid}
-- do         Let more threads or processes read: SO_REUSEPORT sockets of {ports}, or more ports
-- do         Read many datagrams with one call (recvmmsg), and let the kernel merge them (UDP_GRO)
-- do         Leave the costly work (logging, parsing, disk) to another thread than the one that reads
-- not        A bigger buffer: more comes than it reads, so any buffer fills. Full, its {rcvbuf_bytes} are
--            {held_ms} of delay or more, {larger_bytes} would be {larger_ms}
-- not        Priority: it has its CPU, and hardly waits for it
-- ruled-out  no thread that reads a lossy socket is at the limit of its CPU
-- ref        schedstat: run time near 100 % with no run delay; without IRQ_TIME_ACCOUNTING softirq is part of it
WITH busy AS (SELECT receiver FROM stall WHERE kind = 'run' AND coincident_share >= :few),
told AS (
    SELECT *, (SELECT COUNT(*) FROM cpu) AS cpus,
           (SELECT COUNT(*) FROM busy JOIN receiver o USING (receiver)
            WHERE o.netns = r.netns AND o.address = r.address AND o.port = r.port) AS at_limit
    FROM stall JOIN receiver r USING (receiver) JOIN lossy_mean USING (receiver)
    WHERE kind = 'run' AND coincident_share >= :few AND COALESCE(delay_share, 0) < :delayed
        AND COALESCE(softirq_share, 0) < :softirq)
SELECT netns, address, port, process, pid, unit, container, lost, subject_lost,
       :certain * fit * CASE WHEN softirq_share IS NULL THEN :unlooked ELSE 1 END * (1 - COALESCE(softirq_share, 0))
           AS confidence,
       reader, ports, place, lossy_share, others, coincident_share, delay_share, lost_rate, read_rate, idle_share,
           lossy_cpu, threads,
       owner_names, CASE netns WHEN 'host' THEN 'on this host' ELSE 'in its namespace' END AS where_read,
       CASE WHEN threads > 1 THEN hottest_name END AS hottest_name,
       CASE WHEN softirq_share >= 0.1 THEN softirq_share END AS softirq_share,
       CASE WHEN elsewhere_share > 0.1 THEN elsewhere_share END AS busy_quiet_share, rcvbuf_bytes,
       1000.0 * rcvbuf_bytes / (truesize * read_rate) AS held_ms, :larger * rcvbuf_bytes AS larger_bytes,
       1000.0 * :larger * rcvbuf_bytes / (truesize * read_rate) AS larger_ms
FROM told
WHERE at_limit <= 1 AND COALESCE(cpus_used, 0) < :all * MAX(2, MIN(cpus, CASE WHEN COALESCE(readers,
    1) > 1 THEN readers ELSE cpus END));
