-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       sign-queue-full
-- kind       sign
-- under      socket-queue-overflow
-- explains   socket-queue
-- severity   warning
-- title      The receive queue of {whose} is full
-- needs      socket.queue_bytes
-- param      alone = 0.6          its own limit is in the input
-- param      likely = 0.5         its limit is not, but what waits is the kernel's default to within a datagram
-- param      default_bytes = 212992   net.core.rmem_default, where it is not in the input
-- param      full = 0.95          of the limit
-- param      over = 1.03          the last datagram may exceed it
-- evidence   queue_bytes bytes {queue_bytes} ({queue_bytes:raw} bytes of memory, no count of datagrams) wait in it, its
--            limit is {rcvbuf_bytes} ({rcvbuf_bytes:raw}): whatever comes next is dropped
-- evidence   waiting_bytes bytes {waiting_bytes} ({waiting_bytes:raw} bytes of memory, no count of datagrams) wait in it, as
--            much as {which}, {default_bytes} ({default_bytes:raw}), holds: whatever comes next is dropped
-- evidence   owners processes {owners} processes hold it
-- against    one_look flag one look: whether its reader is too slow, reads in bursts or not at all, only later ones tell
-- against    unmeasured flag its own limit is not in the input (skmem, from ss -m)
-- do         Look again, with its limit and what it dropped: rb and d in skmem || ss -uamnp
-- do         See what its reader does: CPU, waiting for CPU and disk, faults || pidstat -p {pid} -t -u -w -d -r 1 10
-- do         See how much is lost of what comes || nstat -az 'Udp*'
-- not        A bigger buffer first: where the reader is too slow on average it is full again after a moment
-- not        The network or the adapter: what waits here has passed them
-- ruled-out  no socket's queue is full
-- ref        net/ipv4/udp.c __udp_enqueue_schedule_skb(): a datagram is dropped once rmem exceeds rcvbuf
WITH held AS (
    SELECT s.*, COALESCE(NULLIF(s.rcvbuf_bytes, 0), 0) AS own,
           COALESCE((SELECT rmem_default_bytes FROM sysctl WHERE netns = 'host'), :default_bytes) AS usual,
           2 * COALESCE((SELECT rmem_max_bytes FROM sysctl WHERE netns = 'host'), :default_bytes) AS largest,
           (SELECT COUNT(*) FROM owner o WHERE o.inode = s.inode) AS n_owners,
           (SELECT MIN(pid) FROM owner o WHERE o.inode = s.inode) AS first_pid
    FROM socket s
    WHERE queue_bytes > 0 AND COALESCE(drops, 0) = 0),
full AS (
    SELECT *, own > 0 AS measured FROM held
    WHERE CASE WHEN own > 0 THEN queue_bytes >= :full * own
               ELSE queue_bytes BETWEEN :full * usual AND :over * usual
                   OR queue_bytes BETWEEN :full * largest AND :over * largest END)
SELECT (SELECT l.datagrams FROM ledger l WHERE l.locus = 'socket-queue' AND l.netns = f.netns)
           / COUNT(*) OVER (PARTITION BY f.netns) AS lost,
       f.netns, f.address, f.port, p.comm AS process, f.first_pid AS pid, NULLIF(p.unit, '') AS unit,
       CASE WHEN measured THEN :alone ELSE :likely END AS confidence,
       COALESCE(p.comm || ' (port ' || f.port || ')', 'port ' || f.port) AS whose,
       CASE WHEN measured THEN queue_bytes END AS queue_bytes, CASE WHEN NOT measured THEN queue_bytes END AS waiting_bytes,
       NULLIF(own, 0) AS rcvbuf_bytes, CASE WHEN queue_bytes >= :full * largest THEN largest ELSE usual END AS default_bytes,
       CASE WHEN queue_bytes >= :full * largest THEN 'the largest buffer that rmem_max allows' ELSE 'the default buffer' END
           AS which,
       CASE WHEN n_owners > 1 THEN n_owners END AS owners, 1 AS one_look,
       CASE WHEN NOT measured THEN 1 END AS unmeasured
FROM full f LEFT JOIN process p ON p.pid = f.first_pid
-- what the host counts as lost at queues is of this one, where no socket tells what it dropped
WHERE NOT EXISTS (SELECT 1 FROM lossy_socket)
    AND (EXISTS (SELECT 1 FROM ledger l WHERE l.locus = 'socket-queue' AND l.netns = f.netns)
        OR NOT EXISTS (SELECT 1 FROM snmp WHERE COALESCE(udp_rcvbuf_errors, udp_in_datagrams) IS NOT NULL));
