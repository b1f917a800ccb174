-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       rcvbuf-clamped
-- kind       cause
-- explains   socket-queue
-- after      reuseport-imbalance
-- severity   warning
-- title      {reader} asked for a larger receive buffer than rmem_max allows{place}
-- needs      socket.rcvbuf_bytes sysctl.rmem_max_bytes
-- when       EXISTS (SELECT 1 FROM burst) OR EXISTS (SELECT 1 FROM receiver, window WHERE kind = 'since-boot' OR steps = 1)
-- param      certain = 0.96        and its queue is seen to drain
-- param      one_look = 0.55       a single look, in which little waits: the buffer is what it is, bursts are not seen
-- param      drained = 0.5         of the buffer, in that look
-- param      default_bytes = 212992   net.core.rmem_default, where it is not told
-- param      first_bytes = 4194304    to begin with, where no burst could be measured
-- param      largest_bytes = 33554432   what needs more is not a burst
-- evidence   rcvbuf_bytes bytes its buffer is {rcvbuf_bytes}: exactly twice net.core.rmem_max ({rmem_max_bytes}), and
--            not the default ({rmem_default_bytes})
-- evidence   lossy_steps steps lost in {lossy_steps} of {steps} steps
-- evidence   empty_share ratio in the steps with loss its queue was empty in {empty_share} of {queue_looks} looks,
--            full in {full_share}
-- evidence   run_share ratio its reading thread runs {run_share} of the time then: it has time left
-- evidence   peak_factor times in these steps {lossy_rate} arrive{there}, in the others {quiet_rate}
-- evidence   owner_names - the socket is held by {owner_names}
-- against    unlooked flag whether the queue drains was not looked at
-- against    snapshot flag one look: whether its reader keeps up between bursts, only a second one tells
-- do         Allow what it asks for, at least {new_rmem_max_bytes}: the loss of the worst second and what fits today
--            (doubled by the kernel; memory taken only in a burst, at most {needed_bytes} a socket) ||
--            sysctl -w net.core.rmem_max={new_rmem_max_bytes} || sysctl -w net.core.rmem_max={rmem_max_bytes}
-- do         Allow more, up to what it asks for (doubled by the kernel; memory taken only in a burst) ||
--            sysctl -w net.core.rmem_max={first_rmem_max_bytes} || sysctl -w net.core.rmem_max={rmem_max_bytes}
-- do         Then restart it: it asks once, when it starts || systemctl restart {restart_unit}
-- do         Then restart the program: it asks once, when it starts{no_unit}
-- do         Look how much it asks for: its configuration, or its calls while it starts || strace -f -e setsockopt PROGRAM
-- do         Keep it over a restart: the same line in /etc/sysctl.d/90-udp.conf
-- not        rmem_default: it is for programs that do not ask
-- not        More than the bursts need: {needed_bytes} hold up to {delay_ms} of datagrams at {lossy_rate}
-- ruled-out  no socket with bursts has the buffer at which rmem_max cuts off
-- ref        net/core/sock.c sock_setsockopt(): SO_RCVBUF is min(value, rmem_max), doubled; socket(7)
WITH limits AS (
    SELECT rmem_max_bytes, COALESCE(rmem_default_bytes, :default_bytes) AS rmem_default_bytes FROM sysctl
    WHERE netns = 'host'),
found AS (
    SELECT receiver, n_lossy, lossy_rate, quiet_rate, peak_factor, empty_share, queue_looks, full_share, run_share,
           needed_bytes, :certain * sure AS confidence, 0 AS snapshot
    FROM burst WHERE needed_bytes <= :largest_bytes
    UNION ALL
    SELECT receiver, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, :one_look, 1
    FROM receiver, window
    WHERE (kind = 'since-boot' OR steps = 1) AND subject_lost > 0 AND queue_bytes < :drained * rcvbuf_bytes
        AND receiver NOT IN (SELECT receiver FROM burst))
SELECT netns, address, port, process, pid, unit, container, subject_lost AS lost, subject_lost, confidence,
       reader, place, r.rcvbuf_bytes, rmem_max_bytes, rmem_default_bytes, f.n_lossy AS lossy_steps, steps,
       f.empty_share, f.full_share, f.queue_looks, f.run_share,
       CASE WHEN lossy_rate >= 1.1 * quiet_rate THEN peak_factor END AS peak_factor, lossy_rate,
       quiet_rate, CASE netns WHEN 'host' THEN ' on this host' ELSE ' in its namespace' END AS there, owner_names,
       CASE WHEN f.queue_looks IS NULL AND NOT snapshot THEN 1 END AS unlooked, NULLIF(snapshot, 0) AS snapshot,
       needed_bytes, needed_bytes / 2 AS new_rmem_max_bytes,
       CASE WHEN snapshot THEN MAX(:first_bytes, 2 * rmem_max_bytes) END AS first_rmem_max_bytes,
       unit AS restart_unit, CASE WHEN unit IS NULL THEN '' END AS no_unit,
       1000.0 * needed_bytes / (truesize * lossy_rate) AS delay_ms
FROM found f JOIN receiver r USING (receiver), limits, window
WHERE r.rcvbuf_bytes = 2 * rmem_max_bytes AND r.rcvbuf_bytes > rmem_default_bytes;
