-- SPDX-License-Identifier: GPL-2.0-or-later
-- # What several rules ask: about the sockets that lose datagrams and about who reads them, and at the end about packets that
-- # IP drops. Tables that are made once, in this order, and are empty where there is no such loss. All of them may be asked by
-- # name, as the tables of the window.

-- # One row per socket that dropped something, with its reader: of several owners the one that was seen receiving, else
-- # the one that ran most. A socket's drops are of several kinds: those of filters and of the memory limit are shared out
-- # as the ledger counts them, the rest found its queue full (never more than the ledger has).
-- view lossy_socket
-- when EXISTS (SELECT 1 FROM socket WHERE drops > 0)
-- columns receiver is_spread netns cookie inode pid start_time owners protocol address port drops lost
--         filter_lost memory_lost queue_part interface uid rcvbuf_bytes rmem_bytes queue_bytes
--         queue_peak_bytes looks looks_full looks_empty reuseport_members reuseport_empty owner_state
--         kernel_user has_filter
WITH held AS (
    SELECT netns, TOTAL(CASE locus WHEN 'socket-queue' THEN datagrams END) AS queue,
           TOTAL(CASE locus WHEN 'socket-filter' THEN datagrams END) AS filter,
           TOTAL(CASE locus WHEN 'udp-memory' THEN datagrams END) AS memory
    FROM ledger GROUP BY netns),
dropping AS (
    SELECT s.*, queue, filter, memory,
           COALESCE(s.has_filter, s.queue_peak_bytes_max < 0.5 * s.rcvbuf_bytes, 0) AS filters
    FROM socket s LEFT JOIN held USING (netns) WHERE drops > 0),
filtered AS (
    SELECT *, CASE WHEN filters THEN drops * MIN(1.0, COALESCE(filter, 0)
               / SUM(CASE WHEN filters THEN drops END) OVER (PARTITION BY netns)) ELSE 0 END AS filter_lost
    FROM dropping),
crowded AS ( -- part of a socket's drops in steps in which it was seen full
    SELECT netns, cookie, inode, 1.0 * SUM(drops * COALESCE(looks_full > 0, queue_peak_bytes >= 0.9 * rcvbuf_bytes, 0))
               / SUM(drops) AS full_part
    FROM (SELECT 1 FROM socket WHERE drops > 0 LIMIT 1) CROSS JOIN socket_step WHERE drops > 0
    GROUP BY netns, cookie, inode),
weighed AS ( -- what the memory limit refused is lost by sockets that are not full themselves
    SELECT *, drops - filter_lost AS rest, (drops - filter_lost) * (1 - COALESCE(full_part, 0)) AS roomy
    FROM filtered LEFT JOIN crowded USING (netns, cookie, inode)),
refused AS (
    SELECT *, MIN(rest, COALESCE(memory, 0) * CASE WHEN SUM(roomy) OVER of_netns > 0
               THEN roomy / SUM(roomy) OVER of_netns ELSE 1.0 * rest / MAX(1.0, SUM(rest) OVER of_netns) END) AS memory_lost
    FROM weighed WINDOW of_netns AS (PARTITION BY netns)),
queued AS (
    SELECT *, (drops - filter_lost - memory_lost) * MIN(1.0, COALESCE(queue, 0)
               / MAX(1.0, SUM(drops - filter_lost - memory_lost) OVER (PARTITION BY netns))) AS lost FROM refused),
held_by AS (
    SELECT s.netns, s.cookie, s.port, o.inode, o.pid, o.start_time, p.pid AS seen_pid, COUNT(*) OVER of_socket AS owners,
           ROW_NUMBER() OVER (of_socket ORDER BY COALESCE(p.looks_receiving > 0, 0) DESC, p.run_us DESC, o.pid) AS nth
    FROM queued s JOIN owner o ON o.inode = s.inode
    LEFT JOIN process p ON p.pid = o.pid AND p.start_time = o.start_time
    WHERE s.inode > 0
    WINDOW of_socket AS (PARTITION BY s.netns, s.cookie, s.inode)),
spread AS ( -- a process that loses at many ports is one reader
    SELECT netns, pid, start_time, COUNT(DISTINCT port) > 3 AS is_spread FROM held_by WHERE nth = 1 AND seen_pid IS NOT NULL
    GROUP BY netns, pid, start_time)
SELECT DENSE_RANK() OVER (ORDER BY netns, CASE WHEN is_spread THEN '' ELSE address END, CASE WHEN is_spread THEN 0 ELSE port END,
           pid, start_time) AS receiver, COALESCE(is_spread, 0) AS is_spread, netns, cookie, inode, pid, start_time,
       COALESCE(h.owners, 0) AS owners, protocol, address, port, drops, CAST(ROUND(lost) AS INTEGER) AS lost,
       CAST(ROUND(filter_lost) AS INTEGER) AS filter_lost, CAST(ROUND(memory_lost) AS INTEGER) AS memory_lost,
       1.0 * lost / drops AS queue_part, interface, uid, rcvbuf_bytes, rmem_bytes_max AS rmem_bytes, queue_bytes,
       queue_peak_bytes_max AS queue_peak_bytes, looks, looks_full, looks_empty, reuseport_members, reuseport_empty,
       owner_state, kernel_user, has_filter
FROM queued LEFT JOIN (SELECT netns, cookie, inode, pid, start_time, owners FROM held_by WHERE nth = 1) h
    USING (netns, cookie, inode)
LEFT JOIN spread USING (netns, pid, start_time);

-- # One row per reader: the lossy sockets that one process has at one address and port, or at all of them where these are
-- # many (port NULL). The twenty that lose most; `nth`: by what they lost. `seen`: its process could be looked at.
-- view receiver
-- when EXISTS (SELECT 1 FROM lossy_socket)
-- columns receiver nth netns address port ports pid start_time process executable unified_cgroup unit
--         container cgroup memory_cgroup freezer_cgroup threads readers last_cpu cpus_allowed nice state
--         wait_channel hottest_name seen owner_state kernel_user owners owner_names sockets inode protocol
--         drops subject_lost filter_lost memory_lost rcvbuf_bytes rmem_bytes queue_bytes queue_peak_bytes
--         looks looks_full looks_empty reuseport_members has_filter truesize reader place enter
WITH grouped AS (
    SELECT receiver, COUNT(*) AS sockets, SUM(drops) AS drops, SUM(lost) AS subject_lost, SUM(filter_lost) AS filter_lost,
           SUM(memory_lost) AS memory_lost, SUM(looks) AS looks, SUM(looks_full) AS looks_full,
           SUM(looks_empty) AS looks_empty, MAX(drops), netns, CASE WHEN NOT is_spread THEN address END AS address,
           CASE WHEN NOT is_spread THEN port END AS port,
           CASE WHEN is_spread THEN COUNT(DISTINCT port) || ' ports' ELSE 'port ' || port END AS ports, pid, start_time, owners, inode, protocol,
           rcvbuf_bytes, rmem_bytes, queue_bytes, queue_peak_bytes, reuseport_members, owner_state, kernel_user,
           has_filter
    FROM lossy_socket GROUP BY receiver ORDER BY SUM(drops) DESC, receiver LIMIT 20),
sizes AS ( -- memory of one datagram in the queue, by the mean packet: the kernel's classes for small heads
    SELECT netns, netns_pid, CASE WHEN mean <= 225 THEN 832 WHEN mean <= 673 THEN 1280 ELSE 2304 END AS truesize
    FROM (SELECT netns, netns_pid, (TOTAL(ip_ext_in_octets) + TOTAL(ip6_in_octets))
              / NULLIF(TOTAL(ip_in_receives) + TOTAL(ip6_in_receives), 0) AS mean FROM snmp GROUP BY netns))
SELECT receiver, ROW_NUMBER() OVER (ORDER BY g.drops DESC, receiver) AS nth, g.netns, address, port, ports, g.pid, g.start_time,
       p.comm AS process, p.executable, NULLIF(p.unified_cgroup, '') AS unified_cgroup, NULLIF(p.unit, '') AS unit, NULLIF(p.container, '') AS container, p.cgroup,
       COALESCE(NULLIF(p.memory_cgroup, ''), p.cgroup) AS memory_cgroup, p.freezer_cgroup, p.threads, p.readers,
       p.last_cpu, p.cpus_allowed, p.nice, p.state, NULLIF(p.wait_channel, '') AS wait_channel, p.hottest_name,
       p.pid IS NOT NULL AS seen, CASE WHEN p.pid IS NULL THEN owner_state ELSE 'found' END AS owner_state, kernel_user,
       owners, CASE WHEN owners > 1 THEN (SELECT GROUP_CONCAT(COALESCE(c.comm || ' ', 'pid ') || o.pid, ', ')
                                          FROM (SELECT pid, start_time FROM owner WHERE owner.inode = g.inode
                                                ORDER BY pid LIMIT 8) o LEFT JOIN process c USING (pid, start_time))
       END AS owner_names,
       sockets, inode, protocol, drops, subject_lost, filter_lost, memory_lost, rcvbuf_bytes, rmem_bytes, queue_bytes,
       queue_peak_bytes, g.looks, looks_full, looks_empty, reuseport_members, has_filter,
       COALESCE(truesize, 2304) AS truesize,
       COALESCE(p.comm, 'The reader') || ' (' || ports || ')' AS reader,
       CASE g.netns WHEN 'host' THEN '' ELSE ' in namespace ' || g.netns END AS place,
       CASE g.netns WHEN 'host' THEN '' ELSE 'nsenter -t ' || COALESCE(netns_pid, g.pid, 'PID') || ' -n ' END AS enter
FROM grouped g LEFT JOIN process p ON p.pid = g.pid AND p.start_time = g.start_time LEFT JOIN sizes USING (netns);

-- # The steps of the window that are compared with each other: all, or, where these are many, those in which a socket lost
-- # and some 300 of the others, which tell as much.
-- view compared_step
-- when EXISTS (SELECT 1 FROM receiver) OR EXISTS (SELECT 1 FROM ledger WHERE locus = 'socket-queue')
-- columns step
SELECT step FROM step, window -- scattered, so that they are not in time with what happens every so many seconds
WHERE steps <= 1000 OR step * 40503 % 65536 < 65536 * 300 / steps
UNION SELECT step FROM loss_step WHERE locus = 'socket-queue'
UNION SELECT step FROM (SELECT 1 FROM receiver LIMIT 1) CROSS JOIN socket_step WHERE drops > 0;

-- # One row per reader and compared step of which something is known. Shares are of the step's time: `run` and `delay` (ready, waiting
-- # for a CPU, without what its quota took) of the thread that reads; `stopped`, `throttled`, `disk`, `swap`, `asleep` (in
-- # something else while datagrams wait) of that thread, as far as its state was looked at; `softirq` and `steal` of the CPU
-- # it ran on last. NULL: not known.
-- view receiver_step
-- when EXISTS (SELECT 1 FROM receiver)
-- columns receiver step seconds lost drops known is_quiet queue_bytes rcvbuf_bytes queue_looks looks_full
--         looks_empty reuseport_members reuseport_empty state wait_channel looks looks_running looks_receiving
--         switches_voluntary switches_involuntary write_bytes read_bytes last_cpu run_us n_threads is_fuse
--         is_frozen fault_rate stopped throttled run delay disk swap asleep softirq steal
WITH looked_at AS (SELECT step FROM (SELECT 1 FROM receiver LIMIT 1) CROSS JOIN compared_step),
queue_at AS (
    SELECT l.receiver, s.step, SUM(s.drops * l.queue_part) AS lost, SUM(s.drops) AS drops, SUM(s.looks) AS looks,
           SUM(s.looks_full) AS looks_full, SUM(s.looks_empty) AS looks_empty, MAX(s.queue_bytes) AS queue_bytes,
           MAX(s.rcvbuf_bytes) AS rcvbuf_bytes, MAX(s.reuseport_members) AS reuseport_members,
           MIN(s.reuseport_empty) AS reuseport_empty,
           COALESCE(1.0 * SUM(s.looks_empty) / SUM(s.looks), MAX(s.queue_bytes) = 0, 1) AS empty_share
    FROM looked_at CROSS JOIN socket_step s USING (step) CROSS JOIN lossy_socket l USING (netns, cookie, inode)
    WHERE l.receiver IN (SELECT receiver FROM receiver) GROUP BY l.receiver, s.step),
drops_at AS ( -- while a queue is worked off, the reader does what it did before: that is not quiet
    SELECT *, lost <= 0 AND empty_share >= 0.5
           AND COALESCE(LAG(empty_share) OVER (PARTITION BY receiver ORDER BY step) >= 0.5, 1) AS is_quiet
    FROM queue_at),
state_at AS ( -- and steps in which only the queue is known
    SELECT 1 AS known, r.receiver, r.threads AS n_threads, p.step, p.state, p.last_cpu, p.user_us, p.system_us, p.run_us, p.delay_us,
           p.reader_run_permille, p.reader_delay_permille, p.switches_voluntary, p.switches_involuntary, p.major_faults,
           p.read_bytes, p.write_bytes, p.block_delay_us, p.swap_delay_us, p.reclaim_delay_us, p.looks, p.looks_running,
           p.looks_sleeping, p.looks_blocked, p.looks_stopped, p.looks_receiving, p.looks_other_blocked,
           CASE WHEN p.state = 'S' AND p.looks_other_blocked > 0
               THEN COALESCE(NULLIF(p.blocked_channel, ''), p.wait_channel) ELSE p.wait_channel END AS wait_channel
    FROM looked_at CROSS JOIN process_step p USING (step)
    CROSS JOIN receiver r ON r.pid = p.pid AND r.start_time = p.start_time
    UNION ALL
    SELECT 0, r.receiver, NULL, d.step, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
           NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM drops_at d CROSS JOIN receiver r USING (receiver)
    WHERE NOT EXISTS (SELECT 1 FROM process_step p WHERE p.step = d.step AND p.pid = r.pid AND p.start_time = r.start_time)),
quota_at AS ( -- newer kernels count less time than their tasks wait: a period that ran out was over with its quota
    SELECT r.receiver, c.step,
           MAX(MAX(c.throttled_us, COALESCE(c.throttled_periods * MAX(0, c.period_us - c.quota_us), 0))) AS throttled_us
    FROM looked_at CROSS JOIN cgroup_step c USING (step)
    CROSS JOIN receiver r ON substr(r.cgroup || '/', 1, length(c.path) + 1) = c.path || '/'
    WHERE c.throttled_us > 0 OR c.throttled_periods > 0 GROUP BY r.receiver, c.step),
limited AS (
    SELECT DISTINCT r.receiver
    FROM cgroup c CROSS JOIN receiver r ON substr(r.cgroup || '/', 1, length(c.path) + 1) = c.path || '/'
    WHERE c.throttled_us IS NOT NULL),
frozen_at AS (
    SELECT DISTINCT r.receiver, c.step FROM looked_at CROSS JOIN cgroup_step c USING (step)
    CROSS JOIN receiver r ON c.path IN (r.freezer_cgroup, r.unified_cgroup) WHERE c.frozen = 1),
joined AS (
    SELECT p.receiver, p.step, w.seconds, COALESCE(d.lost, 0) AS lost, COALESCE(d.drops, 0) AS drops,
           COALESCE(d.is_quiet, 1) AS is_quiet, d.queue_bytes,
           d.rcvbuf_bytes, d.looks AS queue_looks, d.looks_full, d.looks_empty, d.reuseport_members, d.reuseport_empty,
           p.known, p.state, p.wait_channel, p.looks, p.looks_running, p.looks_receiving,
           p.switches_voluntary, p.switches_involuntary, p.write_bytes, p.read_bytes, p.last_cpu, p.run_us,
           p.major_faults, p.n_threads,
           CASE WHEN p.n_threads = 1 THEN COALESCE(p.run_us, p.user_us + p.system_us) / 1e6 / w.seconds
                ELSE p.reader_run_permille / 1000.0 END AS run,
           CASE WHEN p.n_threads = 1 THEN p.delay_us / 1e6 / w.seconds
                ELSE p.reader_delay_permille / 1000.0 END AS waited,
           CASE WHEN p.looks >= 3 THEN 1.0 * p.looks_running / p.looks END AS ready,
           1.0 * p.looks_stopped / NULLIF(p.looks, 0) AS halted, 1.0 * p.looks_blocked / NULLIF(p.looks, 0) AS blocked,
           1.0 * (p.looks_sleeping - COALESCE(p.looks_receiving, 0)) / NULLIF(p.looks, 0) AS elsewhere,
           COALESCE(1.0 * p.looks_other_blocked / NULLIF(p.looks, 0), 0) AS other_blocked,
           COALESCE(1.0 * d.looks_empty / NULLIF(d.looks, 0), 1.0 * (d.queue_bytes = 0), 0) AS empty,
           p.block_delay_us / 1e6 / w.seconds AS block_delay,
           (p.swap_delay_us + COALESCE(p.reclaim_delay_us, 0)) / 1e6 / w.seconds AS swap_delay,
           f.receiver IS NOT NULL OR COALESCE(p.wait_channel IN ('__refrigerator', 'get_signal', 'do_freezer_trap'), 0)
               AS is_frozen,
           COALESCE(p.wait_channel LIKE 'request\_wait\_answer%' ESCAPE '\' OR p.wait_channel LIKE 'fuse\_%' ESCAPE '\',
               0) AS is_fuse,
           MIN(1.0, COALESCE(q.throttled_us, CASE WHEN k.receiver IS NOT NULL THEN 0 END) / 1e6 / w.seconds) AS throttled,
           1.0 * (c.softirq + c.irq) / NULLIF(c.user + c.nice + c.system + c.idle + c.iowait + c.irq + c.softirq
               + c.steal, 0) AS softirq,
           1.0 * c.steal / NULLIF(c.user + c.nice + c.system + c.idle + c.iowait + c.irq + c.softirq + c.steal, 0)
               AS steal
    FROM state_at p CROSS JOIN step w USING (step) LEFT JOIN drops_at d USING (receiver, step)
    LEFT JOIN quota_at q USING (receiver, step)
    LEFT JOIN limited k USING (receiver) LEFT JOIN frozen_at f USING (receiver, step)
    LEFT JOIN cpu_step c ON c.step = p.step AND c.cpu = p.last_cpu),
sorted AS ( -- D with pages coming in is waiting for memory; delay accounting has that for a disk too, at times twice
    SELECT *, MIN(other_blocked, MAX(0, elsewhere - empty)) AS via_other, -- it waits for a thread that is blocked
           CASE WHEN ready - run >= waited + 0.4 THEN ready - run ELSE waited END AS unserved,
           COALESCE(major_faults >= 20 * seconds
               AND COALESCE(swap_delay >= 0.5 * COALESCE(blocked, MIN(1.0, block_delay)), 1), 0) AS is_paging,
           MAX(0, COALESCE(halted, 0), is_frozen, COALESCE(looks, 0) = 0 AND COALESCE(state IN ('T', 't'), 0)) AS stopped
    FROM joined),
spread AS ( -- of a period of the quota (100 ms) that ends in the next step the wait may be counted in this one
    SELECT *, COALESCE(LEAD(spare) OVER of_reader, 0) + COALESCE(LAG(spare) OVER of_reader, 0) AS beside
    FROM (SELECT *, MAX(0, MIN(0.1 / seconds, throttled - unserved)) AS spare FROM sorted)
    WINDOW of_reader AS (PARTITION BY receiver ORDER BY step))
SELECT receiver, step, seconds, lost, drops, known, is_quiet, queue_bytes, rcvbuf_bytes, queue_looks, looks_full, looks_empty,
       reuseport_members, reuseport_empty, state, wait_channel, looks, looks_running, looks_receiving, switches_voluntary,
       switches_involuntary, write_bytes, read_bytes, last_cpu, run_us, n_threads, is_fuse, is_frozen,
       1.0 * major_faults / seconds AS fault_rate, CASE WHEN known THEN 1.0 * stopped END AS stopped,
       -- summed over CPUs, but no thread was kept from running for longer than it waited to run
       MIN(throttled, COALESCE(unserved, 1.0)) AS throttled, MIN(1.0, run) AS run,
       -- the kernel counts a wait when it is over: of one that is longer than the step only the looks tell
       CASE WHEN stopped < 0.5 THEN MAX(0, MIN(1.0, unserved) - COALESCE(throttled, 0) - beside) END AS delay,
       CASE WHEN is_frozen OR is_paging THEN 0.0
            WHEN is_fuse THEN COALESCE(elsewhere, 1.0)
            WHEN n_threads > 1 THEN COALESCE(MIN(1.0, blocked + via_other), MIN(1.0, block_delay))
            ELSE COALESCE(MAX(blocked, MIN(1.0, block_delay)), blocked, MIN(1.0, block_delay)) END AS disk,
       CASE WHEN is_frozen THEN 0.0
            WHEN is_paging THEN MAX(COALESCE(blocked, 0), COALESCE(MIN(1.0, swap_delay), 0))
            ELSE COALESCE(MIN(1.0, swap_delay), CASE WHEN blocked = 0 OR major_faults = 0 THEN 0.0 END) END AS swap,
       CASE WHEN is_frozen OR is_fuse THEN 0.0 ELSE MAX(0, elsewhere - empty - via_other) END AS asleep, softirq, steal
FROM spread;

-- # Steps in which a reader lost datagrams compared with those in which it did not, for each kind of share above (of these only
-- # steps in which nothing waited to be read: while a queue is worked off, the reader does what it did before). A step is
-- # marked where the share reaches the limit of its kind (less in long steps, of which a stall is a small part).
-- # `coincident_share`: of the loss (as far as known), what falls into marked steps; `elsewhere_share`: of the loss-free
-- # steps, those that are marked as well; `fit`: how well both agree, 0 to 1, less where its state was seen a few times only; `longest_ms`: the longest stall;
-- # `arrival_rate`: datagrams/s that came during the stalls; `lost`: the datagrams of the marked steps.
-- view stall
-- when EXISTS (SELECT 1 FROM receiver)
-- columns receiver kind coincident_share known_share elsewhere_share lossy_share quiet_share others
--         lossy_steps marked_steps quiet_steps longest_ms arrival_rate hold_ms lost fit
WITH kinds(kind, mark) AS (
    VALUES ('stopped', 0.1), ('throttled', 0.1), ('delay', 0.15), ('run', 0.85), ('disk', 0.1), ('swap', 0.1),
           ('asleep', 0.2), ('softirq', 0.4), ('steal', 0.1)),
highest AS ( -- kinds that matter to a reader at all
    SELECT receiver, MAX(stopped) AS stopped, MAX(throttled) AS throttled, MAX(delay) AS delay, MAX(run) AS run,
           MAX(disk) AS disk, MAX(swap) AS swap, MAX(asleep) AS asleep, MAX(softirq) AS softirq, MAX(steal) AS steal,
           MIN(10.0, MAX(1.0, MAX(seconds) / 6)) AS longer
    FROM receiver_step WHERE lost > 0 GROUP BY receiver),
reached AS (
    SELECT receiver, k.kind, mark FROM highest, kinds k, window
    WHERE CASE k.kind WHEN 'stopped' THEN stopped WHEN 'throttled' THEN throttled WHEN 'delay' THEN delay
              WHEN 'run' THEN run / longer WHEN 'disk' THEN disk WHEN 'swap' THEN swap WHEN 'asleep' THEN asleep
              WHEN 'softirq' THEN softirq ELSE steal END >= mark / longer
        AND (k.kind = 'stopped' OR window.kind <> 'since-boot')),
shares AS (
    SELECT receiver, kind, step, seconds, lost, is_quiet, looks,
           CASE kind WHEN 'stopped' THEN stopped WHEN 'throttled' THEN throttled WHEN 'delay' THEN delay
               WHEN 'run' THEN run WHEN 'disk' THEN disk WHEN 'swap' THEN swap WHEN 'asleep' THEN asleep
               WHEN 'softirq' THEN softirq ELSE steal END AS share,
           CASE kind WHEN 'run' THEN mark ELSE mark / MIN(10.0, MAX(1.0, seconds / 6)) END AS mark
    FROM receiver_step CROSS JOIN reached USING (receiver)),
islands AS ( -- steps in a row that are all stall are one
    SELECT receiver, kind, SUM(1000.0 * share * seconds) AS length FROM (
        SELECT *, step - ROW_NUMBER() OVER (PARTITION BY receiver, kind ORDER BY step) AS island FROM shares
        WHERE share >= 0.9)
    GROUP BY receiver, kind, island),
compared AS (
    SELECT receiver, kind, TOTAL(lost) AS known_lost, TOTAL(lost * (share >= mark)) AS marked_lost,
           TOTAL(CASE WHEN lost > 0 THEN looks END) AS lossy_looks,
           SUM(lost > 0) AS lossy_steps, SUM(lost > 0 AND share >= mark) AS marked_steps, SUM(is_quiet) AS quiet_steps,
           SUM(is_quiet AND share >= mark) AS quiet_marked, TOTAL(lost * share) AS weighted,
           AVG(CASE WHEN is_quiet THEN share END) AS quiet_share,
           SUM(CASE WHEN share >= mark AND lost > 0 THEN lost END)
               / SUM(CASE WHEN share >= mark AND lost > 0 THEN seconds * share END) AS arrival_rate,
           MAX(CASE WHEN share >= mark THEN 1000.0 * share * seconds END) AS longest_step
    FROM shares WHERE share IS NOT NULL GROUP BY receiver, kind HAVING TOTAL(lost) > 0)
SELECT c.receiver, c.kind, marked_lost / known_lost AS coincident_share,
       MIN(1.0, known_lost / MAX(1, subject_lost)) AS known_share, 1.0 * quiet_marked / NULLIF(quiet_steps, 0) AS elsewhere_share,
       weighted / known_lost AS lossy_share, quiet_share,
       CASE WHEN quiet_steps > 0 THEN printf(', %.0f %% in the others', 100 * quiet_share) ELSE '' END AS others,
       lossy_steps, marked_steps, quiet_steps, 
       CASE WHEN window.kind <> 'since-boot' THEN NULLIF(MAX(longest_step, COALESCE(longest_island, 0)), 0) END AS longest_ms, arrival_rate,
       CASE WHEN window.kind <> 'since-boot' THEN 1000.0 * rcvbuf_bytes / (arrival_rate * truesize) END AS hold_ms,
       CAST(ROUND(subject_lost * marked_lost / known_lost) AS INTEGER) AS lost,
       MIN(1.0, 0.5 + marked_lost / known_lost) * (1 - 0.6 * quiet_marked / (quiet_steps + 1.0))
           * (0.7 + 0.3 * MIN(1.0, known_lost / MAX(1, subject_lost))) * marked_steps / (marked_steps + 0.15)
           * CASE WHEN c.kind IN ('stopped', 'disk', 'swap', 'asleep') THEN 0.7 + 0.03 * MIN(10.0, lossy_looks) ELSE 1 END AS fit
FROM compared c JOIN receiver r USING (receiver)
LEFT JOIN (SELECT receiver, kind, MAX(length) AS longest_island FROM islands GROUP BY receiver, kind) USING (receiver, kind),
    window;

-- # Means over the steps in which a reader lost datagrams: `lost_rate` of its own; `read_rate`: all that was read in its
-- # namespace, so at most its own; `cpus_used`: by all its threads; shares of looks at its queue and of CPU times;
-- # `stands_in`: the kernel function in which it waited most; `lossy_cpu`: the CPU on which it lost most.
-- view lossy_mean
-- when EXISTS (SELECT 1 FROM receiver)
-- columns receiver n_lossy lossy_s lost_rate worst_rate worst read_rate run_share delay_share cpus_used
--         softirq_share steal_share full_share empty_share queue_looks idle_share own_bytes_rate switch_rate
--         fault_rate fuse_share stands_in lossy_cpu
WITH lossy AS MATERIALIZED (SELECT * FROM receiver_step WHERE lost > 0),
stands AS (
    SELECT receiver, wait_channel AS stands_in, MAX(lost) FROM (
        SELECT receiver, wait_channel, SUM(lost) AS lost FROM lossy WHERE wait_channel <> '' GROUP BY receiver, wait_channel)
    GROUP BY receiver),
runs AS (
    SELECT receiver, last_cpu AS lossy_cpu, MAX(lost) FROM (
        SELECT receiver, last_cpu, SUM(lost) AS lost FROM lossy WHERE last_cpu IS NOT NULL GROUP BY receiver, last_cpu)
    GROUP BY receiver),
host AS (
    SELECT step, TOTAL(idle) + TOTAL(iowait) AS idle, NULLIF(TOTAL(user) + TOTAL(nice) + TOTAL(system) + TOTAL(idle)
               + TOTAL(iowait) + TOTAL(irq) + TOTAL(softirq) + TOTAL(steal), 0) AS ticks
    FROM (SELECT DISTINCT step FROM lossy) CROSS JOIN cpu_step USING (step) GROUP BY step)
SELECT l.receiver, COUNT(*) AS n_lossy, SUM(l.seconds) AS lossy_s, SUM(l.lost) / SUM(l.seconds) AS lost_rate,
       MAX(l.lost / l.seconds) AS worst_rate, MAX(CASE WHEN l.seconds > 0 THEN l.lost / MAX(1.0, l.seconds) ELSE 0 END) AS worst,
       CASE WHEN EXISTS (SELECT 1 FROM snmp WHERE COALESCE(udp_in_datagrams, udp6_in_datagrams) IS NOT NULL)
           THEN SUM(COALESCE(udp_in_datagrams, 0) + COALESCE(udp6_in_datagrams, 0)) / SUM(l.seconds) END AS read_rate,
       SUM(l.lost * run) / SUM(CASE WHEN run IS NOT NULL THEN l.lost END) AS run_share,
       SUM(l.lost * delay) / SUM(CASE WHEN delay IS NOT NULL THEN l.lost END) AS delay_share,
       SUM(l.run_us) / 1e6 / SUM(CASE WHEN l.run_us IS NOT NULL THEN l.seconds END) AS cpus_used,
       AVG(softirq) AS softirq_share, AVG(steal) AS steal_share, 1.0 * SUM(l.looks_full) / SUM(queue_looks) AS full_share,
       1.0 * SUM(l.looks_empty) / SUM(queue_looks) AS empty_share, SUM(queue_looks) AS queue_looks,
       SUM(h.idle) / SUM(h.ticks) AS idle_share, SUM(l.write_bytes) / SUM(l.seconds) AS own_bytes_rate,
       1.0 * SUM(switches_voluntary) / SUM(CASE WHEN switches_voluntary IS NOT NULL THEN l.seconds END) AS switch_rate,
       SUM(l.lost * fault_rate) / SUM(CASE WHEN fault_rate IS NOT NULL THEN l.lost END) AS fault_rate,
       SUM(l.lost * is_fuse) / SUM(l.lost) AS fuse_share,
       stands_in, lossy_cpu
FROM lossy l JOIN receiver r USING (receiver) LEFT JOIN stands USING (receiver) LEFT JOIN runs USING (receiver)
LEFT JOIN snmp_step p ON p.step = l.step AND p.netns = r.netns
LEFT JOIN host h ON h.step = l.step
GROUP BY l.receiver;

-- # Readers that nothing hinders: they empty their queue between the losses and have time left, so that the loss is of bursts
-- # that do not fit. `sure`: 1 where the queue was seen to drain; `peak_factor`: arrivals of the namespace in the steps with
-- # loss over those in the others; `needed_bytes`: for what was lost in the worst second, of which a quarter may be held by
-- # what was read already.
-- view burst
-- when EXISTS (SELECT 1 FROM receiver)
-- columns receiver n_lossy steps lossy_rate quiet_rate peak_factor worst worst_rate full_share empty_share
--         queue_looks run_share buffer_bytes sure needed_bytes
WITH all_arrivals AS (
    SELECT netns, TOTAL(COALESCE(udp_in_datagrams, 0) + COALESCE(udp6_in_datagrams, 0)
               + COALESCE(udp_rcvbuf_errors, 0) + COALESCE(udp6_rcvbuf_errors, 0)) AS n_all
    FROM (SELECT 1 FROM receiver LIMIT 1) CROSS JOIN snmp_step GROUP BY netns),
lossy_arrivals AS (
    SELECT s.receiver, TOTAL(COALESCE(udp_in_datagrams, 0) + COALESCE(udp6_in_datagrams, 0)
               + COALESCE(udp_rcvbuf_errors, 0) + COALESCE(udp6_rcvbuf_errors, 0)) AS n_lossy
    FROM receiver_step s CROSS JOIN receiver r USING (receiver) CROSS JOIN snmp_step p ON p.step = s.step AND p.netns = r.netns
    WHERE s.lost > 0 GROUP BY s.receiver),
arrivals AS (
    SELECT receiver, COALESCE(n_lossy, 0.0) AS n_lossy_all, n_all - COALESCE(n_lossy, 0.0) AS n_quiet
    FROM receiver JOIN all_arrivals USING (netns) LEFT JOIN lossy_arrivals USING (receiver)),
hindered AS (
    SELECT DISTINCT receiver FROM stall
    WHERE coincident_share >= 0.5 AND COALESCE(elsewhere_share, 0) < 0.7 OR kind IN ('stopped', 'run') AND coincident_share >= 0.5),
told AS (
    SELECT r.receiver, r.seen, r.rcvbuf_bytes, r.subject_lost, m.*, steps, n_lossy_all / lossy_s AS lossy_rate,
           n_quiet / NULLIF(window.seconds - lossy_s, 0) AS quiet_rate,
           COALESCE(r.rcvbuf_bytes, rmem_default_bytes) AS buffer_bytes
    FROM receiver r JOIN lossy_mean m USING (receiver) LEFT JOIN arrivals USING (receiver)
    LEFT JOIN (SELECT rmem_default_bytes FROM sysctl WHERE netns = 'host'), window
    WHERE r.seen AND r.subject_lost > 0 AND window.kind <> 'since-boot' AND COALESCE(run_share, 0.5) < 0.8
        AND r.receiver NOT IN (SELECT receiver FROM hindered))
SELECT receiver, n_lossy, steps, lossy_rate, quiet_rate, lossy_rate / NULLIF(quiet_rate, 0) AS peak_factor, worst, worst_rate,
       full_share, empty_share, queue_looks, run_share, buffer_bytes,
       CASE WHEN empty_share >= 0.1 AND queue_looks >= 5 THEN 1.0 WHEN n_lossy <= 0.5 * steps THEN 0.75 ELSE 0.5 END
           * CASE WHEN run_share IS NULL THEN 0.9 ELSE 1 END
           * CASE WHEN n_lossy <= 0.5 * steps AND lossy_rate < 1.1 * quiet_rate THEN 0.9 ELSE 1 END AS sure,
       CAST((buffer_bytes + worst * 2304) / 0.75 / 65536 + 1 AS INTEGER) * 65536 AS needed_bytes
FROM told
WHERE empty_share >= 0.1 OR n_lossy <= 0.5 * steps AND COALESCE(full_share, 0) < 0.9;

-- # The loss at socket queues whose reader is not seen, for which the host's own state is all the evidence: one row per port
-- # where the socket is there, one without a port for sockets that are gone. A tenth of the loss that no socket has is the
-- # skew of counters that are read one after the other. `arrival_rate`: all that came to the namespace in steps with loss.
-- view unseen
-- when EXISTS (SELECT 1 FROM receiver) OR EXISTS (SELECT 1 FROM ledger WHERE locus = 'socket-queue')
-- columns unseen netns address port lost owner_state kernel_user arrival_rate buffer_bytes hold_ms meanwhile no_process place
WITH seen AS (SELECT netns, SUM(subject_lost) AS lost FROM receiver GROUP BY netns),
places AS (
    SELECT netns, address, port, SUM(subject_lost) AS lost, owner_state, NULLIF(kernel_user, '') AS kernel_user,
           MIN(rcvbuf_bytes) AS rcvbuf_bytes
    FROM receiver WHERE seen = 0 AND subject_lost > 0 GROUP BY netns, address, port
    UNION ALL
    SELECT l.netns, NULL, NULL, l.datagrams - COALESCE(s.lost, 0), NULL, NULL, NULL
    FROM ledger l LEFT JOIN seen s USING (netns)
    WHERE locus = 'socket-queue' AND l.datagrams - COALESCE(s.lost, 0) >= 0.1 * l.datagrams),
arrival AS (
    SELECT netns, (TOTAL(udp_in_datagrams) + TOTAL(udp6_in_datagrams) + TOTAL(udp_rcvbuf_errors)
                   + TOTAL(udp6_rcvbuf_errors)) / SUM(seconds) AS arrival_rate
    FROM snmp_step JOIN (SELECT step, netns FROM loss_step WHERE locus = 'socket-queue' AND datagrams > 0)
    USING (step, netns) GROUP BY netns)
SELECT ROW_NUMBER() OVER (ORDER BY netns, port, address) AS unseen, netns, address, port, lost, owner_state, kernel_user,
       arrival_rate, COALESCE(rcvbuf_bytes, rmem_default_bytes) AS buffer_bytes,
       CASE WHEN arrival_rate > 0 THEN 1000.0 * COALESCE(rcvbuf_bytes, rmem_default_bytes) / (arrival_rate * 2304) END
           AS hold_ms,
       ' while ' || CASE WHEN port IS NULL THEN 'datagrams are lost' ELSE 'port ' || port || ' loses datagrams' END AS meanwhile,
       CASE WHEN port IS NULL THEN 'Which socket and process: not judged, these are counters of the whole '
                || CASE netns WHEN 'host' THEN 'host' ELSE 'namespace' END || '. ss -uamnp names it'
            WHEN kernel_user IS NOT NULL THEN 'A process: the kernel itself reads this socket (' || kernel_user || ')'
            WHEN owner_state = 'kernel' THEN 'A process: no process holds this socket, the kernel itself reads it'
            ELSE 'Which process reads port ' || port || ': not judged, it could not be seen'
                || CASE owner_state WHEN 'denied' THEN ' (as root it can)' ELSE '' END END AS no_process,
       CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place
FROM places LEFT JOIN arrival USING (netns)
LEFT JOIN (SELECT rmem_default_bytes FROM sysctl WHERE netns = 'host');

-- # What the host as a whole did in each compared step, where that is all the evidence there is: shares of the time of all CPUs, of the
-- # one that was busiest, and of the one with the most softirq; `iowait_share` in units of one CPU; `disk_share` of the
-- # disk that was busiest. The `wait_share` ones are of /proc/pressure, where no row means that nothing waited.
-- view host_step
-- when EXISTS (SELECT 1 FROM unseen)
-- columns step seconds busy_share steal_share iowait_share busiest_share softirq_share cpu_wait_share
--         memory_wait_share io_wait_share swapin_rate page_rate disk_share
WITH cpus AS (
    SELECT s.step, s.seconds, COUNT(cpu) AS n, TOTAL(idle) + TOTAL(iowait) AS free, TOTAL(iowait) AS iowait,
           TOTAL(steal) AS steal, SUM(ticks) AS ticks, MAX(1 - (COALESCE(idle, 0) + COALESCE(iowait, 0)) / ticks) AS busiest_share,
           MAX((COALESCE(softirq, 0) + COALESCE(irq, 0)) / ticks) AS softirq_share
    FROM step s LEFT JOIN (
        SELECT *, NULLIF(COALESCE(0.0 + user + nice + system + idle + iowait + irq + softirq + steal,
                   0.0 + COALESCE(user, 0) + COALESCE(nice, 0) + COALESCE(system, 0) + COALESCE(idle, 0)
                   + COALESCE(iowait, 0) + COALESCE(irq, 0) + COALESCE(softirq, 0) + COALESCE(steal, 0)), 0) AS ticks
        FROM cpu_step) c ON c.step = s.step
    WHERE +s.step IN (SELECT step FROM compared_step) GROUP BY s.step)
SELECT c.step, c.seconds, 1 - (free + steal) / ticks AS busy_share, steal / ticks AS steal_share,
       n * iowait / ticks AS iowait_share, busiest_share, softirq_share,
       1.0 * COALESCE(p.some_total_us, (SELECT 0 FROM pressure WHERE resource = 'cpu')) / (c.seconds * 1000000)
           AS cpu_wait_share,
       1.0 * COALESCE(q.some_total_us, (SELECT 0 FROM pressure WHERE resource = 'memory')) / (c.seconds * 1000000)
           AS memory_wait_share,
       1.0 * COALESCE(r.some_total_us, (SELECT 0 FROM pressure WHERE resource = 'io')) / (c.seconds * 1000000)
           AS io_wait_share,
       pswpin / c.seconds AS swapin_rate, pgmajfault / c.seconds AS page_rate,
       (SELECT MAX(time_io_ms) FROM disk_step d WHERE d.step = c.step) / (c.seconds * 1000) AS disk_share
FROM cpus c LEFT JOIN pressure_step p ON p.step = c.step AND p.resource = 'cpu'
LEFT JOIN pressure_step q ON q.step = c.step AND q.resource = 'memory'
LEFT JOIN pressure_step r ON r.step = c.step AND r.resource = 'io'
LEFT JOIN memory_step m ON m.step = c.step;

-- # The compared steps of each of these, and what the host did in them.
-- view unseen_step
-- when EXISTS (SELECT 1 FROM unseen)
-- columns unseen netns step seconds lost busy_share steal_share iowait_share busiest_share softirq_share
--         cpu_wait_share memory_wait_share io_wait_share swapin_rate page_rate disk_share
WITH taken AS (
    SELECT netns, step, SUM(s.lost) AS lost FROM receiver_step s CROSS JOIN receiver USING (receiver) WHERE s.lost > 0
    GROUP BY netns, step),
blind AS (
    SELECT netns, address, port, step, SUM(s.lost) AS lost FROM receiver_step s CROSS JOIN receiver r USING (receiver)
    WHERE r.seen = 0 AND s.lost > 0 GROUP BY netns, address, port, step)
SELECT unseen, u.netns, s.step, s.seconds,
       CASE WHEN u.port IS NOT NULL THEN COALESCE(b.lost, 0)
            ELSE MAX(0, COALESCE(l.datagrams, 0) - COALESCE(t.lost, 0)) END AS lost,
       busy_share, steal_share, iowait_share, busiest_share, softirq_share, cpu_wait_share, memory_wait_share,
       io_wait_share, swapin_rate, page_rate, disk_share
FROM unseen u CROSS JOIN host_step s LEFT JOIN loss_step l ON l.locus = 'socket-queue' AND l.netns = u.netns AND l.step = s.step
LEFT JOIN taken t ON t.netns = u.netns AND t.step = s.step
LEFT JOIN blind b ON b.netns = u.netns AND b.address = u.address AND b.port = u.port AND b.step = s.step;

-- # Packets that IP dropped when they came in, one row per namespace and cause. `total`: packets received; `rated_s`: the
-- # window's seconds, NULL where they tell no rate; `enter`: what a command begins with to run in the namespace.
-- view ip_input
-- when EXISTS (SELECT 1 FROM ledger WHERE locus = 'ip-input')
-- columns cause netns ipv4 ipv6 total rated_s place enter
WITH received AS (
    SELECT *, COALESCE(ip_in_receives + COALESCE(ip6_in_receives, 0), ip6_in_receives) AS total FROM snmp),
dropped(cause, netns, netns_pid, total, ipv4, ipv6) AS (
    SELECT 'ip-bad-header', netns, netns_pid, total, ip_in_hdr_errors, ip6_in_hdr_errors FROM received
    UNION ALL SELECT 'ip-wrong-address', netns, netns_pid, total, ip_in_addr_errors, ip6_in_addr_errors FROM received
    UNION ALL SELECT 'ip-no-route', netns, netns_pid, total, ip_ext_in_no_routes, ip6_in_no_routes FROM received
    UNION ALL SELECT 'ip-truncated', netns, netns_pid, total, ip_ext_in_truncated_pkts, ip6_in_truncated_pkts FROM received
    UNION ALL SELECT 'ip-discard', netns, netns_pid, total, ip_in_discards,
                     CASE WHEN ip6_in_delivers >= ip6_in_discards THEN ip6_in_discards END FROM received)
SELECT cause, netns, ipv4, ipv6, total, CASE WHEN kind <> 'since-boot' THEN NULLIF(seconds, 0) END AS rated_s,
       CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place,
       CASE netns WHEN 'host' THEN '' ELSE 'nsenter -t ' || COALESCE(netns_pid, 'PID') || ' -n ' END AS enter
FROM dropped, window;
