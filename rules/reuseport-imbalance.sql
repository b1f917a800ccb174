-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       reuseport-imbalance
-- kind       cause
-- explains   socket-queue
-- after      reader-stopped
-- severity   warning
-- title      Of {members} sockets that share port {port}, {lossy_sockets} get{s} nearly all datagrams{place}
-- needs      socket.reuseport_members socket.reuseport_empty
-- when       EXISTS (SELECT 1 FROM lossy_socket)
-- param      certain = 0.93
-- param      one_look = 0.6        a single look: what they lost may be old
-- param      idle = 0.5            share of the members that must have nothing waiting while others lose
-- param      few = 0.5             share of the members that lose at most
-- evidence   lossy_sockets sockets all is lost by {lossy_sockets} of the {members} sockets of the group
-- evidence   idle_share ratio of the others {idle_share} have nothing waiting in the steps with loss
-- evidence   worst_share ratio the worst one, of {worst_reader}, has {worst_share} of the loss
-- evidence   run_share ratio its reading thread runs {run_share} of the time
-- evidence   owner_names - the socket is held by {owner_names}
-- against    unlooked flag the others' queues could be seen once in a step only
-- do         Let more flows come (more source ports at the senders): the kernel chooses the socket by a hash of
--            addresses and ports, and one flow always gets the same one
-- do         Where one sender must keep one source port, spread by content or CPU: SO_ATTACH_REUSEPORT_EBPF
-- do         Look how the datagrams are spread (drops as d in skmem) || {enter}ss -uamn 'sport = :{port:raw}'
-- not        More sockets in the group: {idle_members} have nothing to do already
-- not        A bigger buffer: at {lost_rate} too many, {rcvbuf_bytes} more last {hold_ms}
-- not        Faster CPUs: one thread works, the others wait
-- ruled-out  no group of sockets that share a port lost on a few members only
-- ref        net/core/sock_reuseport.c reuseport_select_sock(): the flow's hash chooses; Documentation: socket(7)
WITH groups AS (
    SELECT l.netns, l.address, l.port, COUNT(*) AS lossy_sockets, MAX(l.reuseport_members) AS members,
           SUM(l.lost) AS lost,
           1.0 * MAX(l.lost) / SUM(l.lost) AS worst_share, l.receiver AS worst, COUNT(DISTINCT l.receiver)
               AS n_receivers,
           COUNT(DISTINCT l.pid) AS n_pids
    FROM lossy_socket l WHERE l.reuseport_members > 1 AND l.lost > 0 GROUP BY l.netns, l.address, l.port),
idle AS (
    SELECT r.netns, r.address, r.port, SUM(s.lost * s.reuseport_empty / MAX(1,
           s.reuseport_members - 1)) / SUM(s.lost) AS idle_part,
           SUM(s.looks_full) IS NULL AS is_unlooked
    FROM receiver_step s JOIN receiver r USING (receiver) WHERE s.lost > 0 AND s.reuseport_members > 1
    GROUP BY r.netns, r.address, r.port)
SELECT g.netns, g.address, g.port, CASE WHEN n_pids = 1 THEN process END AS process, CASE WHEN n_pids = 1 THEN pid
       END AS pid,
       unit, container, g.lost, g.lost AS subject_lost,
       CASE WHEN kind = 'since-boot' OR steps = 1 THEN :one_look ELSE :certain END * MIN(1, idle_part / 0.8) * CASE WHEN worst_share >= 0.5 THEN 1 ELSE 0.8 END AS confidence, members,
       lossy_sockets, CASE lossy_sockets WHEN 1 THEN 's' ELSE '' END AS s, place, MIN(1.0, idle_part) AS idle_share,
       CASE WHEN lossy_sockets > 1 THEN worst_share END AS worst_share, reader AS worst_reader, run_share, owner_names,
       CASE WHEN is_unlooked THEN 1 END AS unlooked, CAST(ROUND(idle_part * (members - 1)) AS INTEGER) AS idle_members,
       CASE WHEN kind <> 'since-boot' THEN lost_rate END AS lost_rate, rcvbuf_bytes,
       1000.0 * rcvbuf_bytes / (truesize * lost_rate) AS hold_ms, enter
FROM groups g JOIN idle i USING (netns, address, port) JOIN receiver r ON r.receiver = g.worst
LEFT JOIN lossy_mean m ON m.receiver = g.worst, window
WHERE idle_part >= :idle AND lossy_sockets <= MAX(1, :few * members);
