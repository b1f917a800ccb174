-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       rcvbuf-delay
-- kind       no-loss
-- explains   socket-queue
-- severity   warning
-- title      {reader} reads what is {delay_ms} old: its large buffer holds a backlog{place}
-- needs      socket.queue_bytes snmp.udp_in_datagrams|snmp.udp6_in_datagrams
-- param      certain = 0.8
-- param      old = 1               s in the queue from which answers are stale
-- param      always = 0.6          of the steps in which so much waits
-- param      large_bytes = 1048576   a queue that is worth a word
-- evidence   queue_bytes bytes {queue_bytes} wait in its queue on average, at most {peak_bytes}, of {rcvbuf_bytes}
-- evidence   read_rate datagrams/s {read_rate} are read {where_read} in all: so each waits {delay_ms} or longer
-- evidence   steps_share ratio in {steps_share} of the steps
-- evidence   owner_names - it is held by {owner_names}
-- against    falling flag it is getting shorter
-- do         Let it read faster, or drop what is too old when it reads (compare SO_TIMESTAMP with the time)
-- do         Give it a smaller buffer: {new_bytes} hold {wanted_ms} at this rate (SO_RCVBUF {ask_bytes:raw} in the
--            program); then it loses at once what it would read too late
-- not        A bigger buffer: it makes all answers later, and in the end overflows too
-- ref        the age of what is read is queue / read rate; no counter shows it
WITH large AS (
    SELECT netns, cookie, inode FROM socket WHERE queue_bytes_max >= :large_bytes AND COALESCE(drops, 0) = 0),
queues AS (
    SELECT netns, cookie, inode, COUNT(*) AS n, AVG(queue_bytes) AS queue_bytes, MAX(queue_bytes) AS peak_bytes,
           MIN(queue_bytes) AS least, MAX(step) AS last_step, SUM(drops) AS drops,
           SUM(queue_bytes >= :large_bytes) AS n_large
    FROM (SELECT 1 FROM large LIMIT 1) CROSS JOIN socket_step CROSS JOIN large USING (netns, cookie, inode)
    WHERE queue_bytes IS NOT NULL GROUP BY netns, cookie, inode),
rates AS (
    SELECT netns, (TOTAL(udp_in_datagrams) + TOTAL(udp6_in_datagrams)) / SUM(seconds) AS read_rate,
           SUM(ip_ext_in_octets) / NULLIF(SUM(ip_in_receives), 0) AS mean
    FROM (SELECT 1 FROM large LIMIT 1) CROSS JOIN snmp_step GROUP BY netns),
told AS (
    SELECT q.*, s.address, s.port, s.rcvbuf_bytes, read_rate, s.owners,
           CASE WHEN mean <= 225 THEN 832 WHEN mean <= 673 THEN 1280 ELSE 2304 END AS truesize,
           (SELECT pid FROM owner o WHERE o.inode = s.inode AND s.inode > 0 ORDER BY pid LIMIT 1) AS pid
    FROM queues q JOIN socket s USING (netns, cookie, inode) JOIN rates USING (netns)),
late AS (
    SELECT *, queue_bytes / truesize / read_rate AS age, 1.0 * n_large / steps AS steps_share
    FROM told, window
    WHERE kind <> 'since-boot' AND read_rate > 0 AND queue_bytes >= :large_bytes AND n_large >= :always * steps
        AND COALESCE(drops, 0) = 0)
SELECT l.netns, address, port, p.comm AS process, l.pid, NULLIF(p.unit, '') AS unit, NULLIF(p.container,
       '') AS container,
       :certain AS confidence, COALESCE(p.comm, 'The reader') || ' (port ' || port || ')' AS reader,
       CASE l.netns WHEN 'host' THEN '' ELSE ' in namespace ' || l.netns END AS place, 1000 * age AS delay_ms,
           queue_bytes,
       peak_bytes, rcvbuf_bytes, read_rate, CASE l.netns WHEN 'host' THEN 'on this host' ELSE 'in its namespace'
           END AS where_read,
       steps_share, CASE WHEN owners > 1 THEN owners || ' processes' END AS owner_names,
       CASE WHEN (SELECT queue_bytes FROM socket_step x WHERE x.netns = l.netns AND x.cookie = l.cookie
           AND x.inode = l.inode
                  AND x.step = l.last_step) < 0.5 * l.queue_bytes THEN 1 END AS falling,
       CAST(read_rate * 0.1 * truesize / 65536 + 1 AS INTEGER) * 65536 AS new_bytes, 100 AS wanted_ms,
       CAST(read_rate * 0.1 * truesize / 65536 + 1 AS INTEGER) * 32768 AS ask_bytes
FROM late l LEFT JOIN process p ON p.pid = l.pid
WHERE age >= :old;
