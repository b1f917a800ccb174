-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       rcvbuf-burst
-- kind       cause
-- explains   socket-queue
-- after      rcvbuf-clamped reuseport-imbalance
-- severity   warning
-- title      Bursts do not fit into the receive buffer{whose}{place}
-- needs      snmp.udp_rcvbuf_errors|snmp.udp6_rcvbuf_errors snmp.udp_in_datagrams|snmp.udp6_in_datagrams
-- param      certain = 0.95          the queue is seen to drain, and its reader has time left
-- param      indirect = 0.75         whether the queue drains between the losses is not seen
-- param      unpeaked = 0.5          where the arrivals of the lossy steps do not stand out, yet little is
--            lost and the CPUs are idle
-- param      one_look = 0.4          where a small share is lost in a single step, at a small buffer
-- param      small_share = 0.01      share of the arrivals lost in a single step that is still a burst
-- param      short_share = 0.03      the same of the lossy steps where their arrivals do not stand out: above
--            it, the reader paused
-- param      noise = 0.00001         share of the arrivals that a host may have lost since boot without a word
-- param      heavy = 0.1             share of the arrivals from which the reader does not keep up on average
-- param      lossy = 0.5             share of the steps with loss from which it is no burst
-- param      peak = 1.3              arrivals of the lossy steps over those of the others
-- param      hot = 0.9               busy share of the busiest CPU: the reader may be at its limit
-- param      disturbed = 0.2         share of the loss in steps in which disk, memory or hypervisor stopped
--            programs
-- param      first_bytes = 1048576   a buffer to begin with, where no burst could be measured
-- param      stock_bytes = 212992    the kernel's default buffer
-- param      truesize = 2304         memory of one datagram of up to 1,472 bytes in the queue
-- param      usable = 0.75           of the buffer: a quarter may be held by what was read already
-- param      largest_bytes = 33554432   what needs more is not a burst
-- evidence   lossy_steps steps lost in {lossy_steps} of {steps} steps{only}
-- evidence   empty_share ratio in the steps with loss its queue was empty in {empty_share} of {queue_looks}
--            looks, full in {full_share}
-- evidence   run_share ratio its reading thread runs {run_share} of the time then: it has time left
-- evidence   peak_factor times in these steps {lossy_rate} arrive{there}, in the others {quiet_rate}
-- evidence   busiest_share ratio the busiest CPU is busy {busiest_share} in them: the reader is not at its
--            limit
-- evidence   small_loss_share ratio {small_loss_share} of {arrivals} datagrams: a reader too slow on average
--            loses far more
-- evidence   rcvbuf_bytes bytes its buffer holds {rcvbuf_bytes} ({rcvbuf_bytes:raw}){by_default}
-- evidence   rmem_default_bytes bytes a new socket's buffer holds {rmem_default_bytes}
--            ({rmem_default_bytes:raw})
-- evidence   rmem_max_bytes bytes SO_RCVBUF may ask for {rmem_max_bytes} ({rmem_max_bytes:raw})
-- evidence   owner_names - the socket is held by {owner_names}
-- against    unlooked flag whether the queue drains was not looked at
-- against    hot_share ratio a CPU is busy {hot_share} in these steps: the reader may be at its limit in the
--            bursts
-- against    single flag one step only: bursts cannot be seen in it
-- do         Let a socket hold {needed_bytes}: the loss of the worst second and what fits today (memory taken
--            only in a burst, at most {needed_bytes} a socket). For sockets made from now on: then restart the
--            program || sysctl -w net.core.rmem_default={needed_bytes} ||
--            sysctl -w net.core.rmem_default={rmem_default_bytes}
-- do         For programs that set SO_RCVBUF themselves: {new_rmem_max_bytes} there, and allow it (the kernel
--            doubles it) || sysctl -w net.core.rmem_max={new_rmem_max_bytes} ||
--            sysctl -w net.core.rmem_max={rmem_max_bytes}
-- do         It sets its buffer itself: let it ask for {ask_bytes} ({ask_bytes:raw}; the kernel doubles it), for the
--            loss of the worst second and what fits today, and allow it || sysctl -w net.core.rmem_max={ask_max_bytes} ||
--            sysctl -w net.core.rmem_max={rmem_max_bytes}
-- do         It sets its buffer itself: let it ask for {ask_only_bytes} ({ask_only_bytes:raw}; the kernel doubles it),
--            for the loss of the worst second and what fits today
-- do         If sockets hold less than {unread_bytes} (read it first), let them hold as much ||
--            sysctl net.core.rmem_default net.core.rmem_max
-- do         Then restart it: a socket keeps the buffer that it was made with || systemctl restart {restart_unit}
-- do         Keep it over a restart: the same lines in /etc/sysctl.d/90-udp.conf{keep}
-- do         A second look decides. Where the loss then comes in single steps, with CPUs and disks idle, let a socket hold
--            {later_bytes}; where it comes in most steps, or while a CPU or a disk is busy, a bigger buffer only
--            delays it; where nothing is lost, it is old || udpdiag why --live 60
-- do         Which socket it is: run twice, d in skmem counts its drops{blind} || {enter}ss -uamnp
-- not        Beyond the burst a bigger buffer only adds delay: {needed_bytes} hold up to {delay_ms} of
--            datagrams at {lossy_rate}
-- not        Faster CPUs or more readers: on average it keeps up{seen}
-- not        {no_process}
-- ruled-out  no short loss at a socket queue, with its reader, CPUs and disks idle
-- ref        rate x stall x truesize: include/net/udp.h, net/ipv4/udp.c; socket(7) SO_RCVBUF
WITH told AS (
    SELECT u.unseen, u.netns, u.seconds, u.lost, u.busiest_share AS busiest,
           COALESCE(p.udp_in_datagrams, 0) + COALESCE(p.udp6_in_datagrams, 0) + u.lost AS arrived,
           COALESCE(steal_share >= 0.1, 0) OR COALESCE(MAX(iowait_share, COALESCE(io_wait_share, 0)) >= 0.2, 0)
               OR COALESCE(memory_wait_share >= 0.1, 0) AS disturbed
    FROM unseen_step u CROSS JOIN snmp_step p ON p.step = u.step AND p.netns = u.netns),
arrivals AS (
    SELECT netns, COALESCE(udp_in_datagrams, 0) + COALESCE(udp6_in_datagrams, 0) AS n_read FROM snmp),
compared AS (
    SELECT unseen, SUM(lost) AS lost, n_read + SUM(lost) AS arrivals, 1.0 * SUM(lost) / (n_read + SUM(lost)) AS lost_share,
           SUM(lost > 0) AS lossy_steps, MAX(CASE WHEN seconds > 0 THEN lost / MAX(1.0, seconds) ELSE 0 END) AS worst,
           1.0 * SUM(lost) / SUM(CASE WHEN lost > 0 THEN arrived END) AS step_share,
           1.0 * SUM(lost * arrived / seconds) / SUM(lost) AS lossy_rate,
           SUM(CASE WHEN lost <= 0 THEN arrived END) / SUM(CASE WHEN lost <= 0 THEN seconds END) AS quiet_rate,
           SUM(lost * busiest) / SUM(lost) AS busiest_share,
               1.0 * SUM(lost * disturbed) / SUM(lost) AS disturbed_share
    FROM told JOIN arrivals USING (netns) GROUP BY unseen HAVING SUM(lost) > 0),
judged AS (
    SELECT *, CASE
           WHEN steps = 1 THEN CASE WHEN lost_share <= :small_share AND COALESCE(MIN(rmem_default_bytes,
               rmem_max_bytes), rmem_default_bytes, rmem_max_bytes) <= :stock_bytes
                    AND lost_share > CASE WHEN kind = 'since-boot' THEN :noise ELSE 0 END THEN :one_look END
           WHEN lossy_steps > :lossy * steps OR lost_share >= :heavy OR disturbed_share > :disturbed THEN NULL
           WHEN lossy_rate >= :peak * COALESCE(quiet_rate, 0) THEN :indirect * CASE WHEN busiest_share >= :hot
               THEN 0.6 WHEN busiest_share IS NULL THEN 0.8 ELSE 1 END
           WHEN busiest_share < :hot AND step_share <= :short_share THEN :unpeaked END AS confidence,
           CASE WHEN steps = 1 THEN :first_bytes
                ELSE MAX(:first_bytes, CAST((COALESCE(rmem_default_bytes, :stock_bytes) + worst * :truesize)
                    / :usable / 65536 + 1 AS INTEGER) * 65536) END AS needed
    FROM compared LEFT JOIN (SELECT rmem_default_bytes, rmem_max_bytes FROM sysctl WHERE netns = 'host'), window),
blind AS (
    SELECT j.*, u.netns, u.address, u.port, u.no_process, u.place FROM judged j JOIN unseen u USING (unseen)
    WHERE confidence IS NOT NULL AND needed <= :largest_bytes AND u.kernel_user IS NULL),
seen AS (SELECT * FROM burst JOIN receiver USING (receiver) WHERE needed_bytes <= :largest_bytes),
cases AS (SELECT receiver, NULL AS unseen FROM seen UNION ALL SELECT NULL, unseen FROM blind),
limits AS (SELECT rmem_default_bytes AS by_default_bytes, rmem_max_bytes AS allowed_bytes FROM sysctl
    WHERE netns = 'host')
SELECT COALESCE(s.netns, b.netns) AS netns, COALESCE(s.address, b.address) AS address, COALESCE(s.port, b.port) AS port,
       process, pid, unit, container, COALESCE(subject_lost, b.lost) AS lost, subject_lost,
       COALESCE(:certain * s.sure, b.confidence) AS confidence,
       COALESCE(' of ' || reader, ' of port ' || b.port, '') AS whose, COALESCE(s.place, b.place) AS place,
       CASE WHEN window.steps > 1 THEN COALESCE(s.n_lossy, b.lossy_steps) END AS lossy_steps, window.steps,
       CASE WHEN b.unseen IS NOT NULL THEN printf(' only: %.3g %% of what arrived', 100 * lost_share) ELSE ''
           END AS only,
       empty_share, queue_looks, full_share, run_share, owner_names,
       COALESCE(s.lossy_rate, b.lossy_rate) AS lossy_rate, COALESCE(s.quiet_rate, b.quiet_rate) AS quiet_rate,
       CASE WHEN window.steps > 1 AND COALESCE(s.lossy_rate, b.lossy_rate) >= 1.1 * COALESCE(s.quiet_rate, b.quiet_rate)
           THEN COALESCE(s.lossy_rate / s.quiet_rate, b.lossy_rate / b.quiet_rate) END AS peak_factor,
       CASE WHEN s.receiver IS NULL THEN '' WHEN s.netns = 'host' THEN ' on this host' ELSE ' in its namespace'
           END AS there,
       CASE WHEN window.steps > 1 AND busiest_share < :hot THEN busiest_share END AS busiest_share,
       CASE WHEN window.steps > 1 AND busiest_share >= :hot THEN busiest_share END AS hot_share,
       CASE WHEN window.steps = 1 THEN lost_share END AS small_loss_share, b.arrivals,
       CASE WHEN window.steps = 1 THEN 1 END AS single, rcvbuf_bytes,
       CASE WHEN rcvbuf_bytes = by_default_bytes THEN ', the default' ELSE '' END AS by_default,
       CASE WHEN b.unseen IS NOT NULL THEN by_default_bytes WHEN rcvbuf_bytes = by_default_bytes
           THEN by_default_bytes END
           AS rmem_default_bytes, allowed_bytes AS rmem_max_bytes,
       CASE WHEN s.receiver IS NOT NULL AND queue_looks IS NULL THEN 1 END AS unlooked,
       CASE WHEN b.unseen IS NOT NULL AND window.steps = 1 THEN b.needed END AS later_bytes,
       CASE WHEN b.unseen IS NOT NULL AND b.needed > COALESCE(by_default_bytes, 0)
                AND window.steps > 1 THEN b.needed
            WHEN COALESCE(rcvbuf_bytes, by_default_bytes) = by_default_bytes THEN needed_bytes END AS needed_bytes,
       CASE WHEN b.unseen IS NOT NULL AND by_default_bytes IS NULL AND window.steps > 1 THEN b.needed
           END AS unread_bytes,
       CASE WHEN COALESCE(rcvbuf_bytes, by_default_bytes) = by_default_bytes
           AND (b.unseen IS NULL OR window.steps > 1)
           AND COALESCE(s.needed_bytes, b.needed) / 2 > allowed_bytes THEN COALESCE(s.needed_bytes,
               b.needed) / 2 END AS new_rmem_max_bytes,
       CASE WHEN rcvbuf_bytes <> by_default_bytes AND needed_bytes / 2 > allowed_bytes THEN needed_bytes / 2
           END AS ask_bytes,
       needed_bytes / 2 AS ask_max_bytes,
       CASE WHEN rcvbuf_bytes <> by_default_bytes AND needed_bytes / 2 <= allowed_bytes THEN needed_bytes / 2
           END AS ask_only_bytes,
       unit AS restart_unit,
       CASE WHEN ask_only.receiver IS NULL AND (b.unseen IS NULL OR window.steps > 1) THEN '' END AS keep,
       CASE WHEN window.steps > 1 THEN 1000.0 * COALESCE(s.needed_bytes, b.needed)
           / (COALESCE(truesize, :truesize) * COALESCE(s.lossy_rate, b.lossy_rate)) END AS delay_ms,
       CASE WHEN b.unseen IS NOT NULL THEN '' END AS blind, CASE WHEN s.receiver IS NOT NULL THEN '' END AS seen,
           no_process,
       CASE COALESCE(s.netns, b.netns) WHEN 'host' THEN ''
           ELSE 'nsenter -t ' || COALESCE((SELECT netns_pid FROM snmp p WHERE p.netns = b.netns), 'PID') || ' -n '
               END AS enter
FROM cases LEFT JOIN seen s USING (receiver) LEFT JOIN blind b USING (unseen)
LEFT JOIN (SELECT receiver FROM seen, limits WHERE rcvbuf_bytes <> by_default_bytes
    AND needed_bytes / 2 <= allowed_bytes)
    ask_only USING (receiver)
LEFT JOIN limits, window;
