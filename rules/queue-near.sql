-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       queue-near
-- kind       level
-- explains   -
-- severity   warning
-- unit       ratio
-- text       The receive queue of {reader} was filled {peak_share}: {peak_bytes} of {rcvbuf_bytes}{place}
-- needs      socket.queue_bytes socket.rcvbuf_bytes
-- param      warning = 0.8         share of its buffer
-- param      steps = 2             in which it must have been so: a single one may be a burst that fitted
-- param      sockets = 20          the fullest ones
-- do         See whether it reads steadily: CPU, waiting for CPU and disk || pidstat -p {seen_pid} -t -u -w -d -r 1 10
-- do         See who reads it || {enter}ss -uamnp 'sport = :{port:raw}'
-- ref        net/ipv4/udp.c: what does not fit is dropped
WITH near AS (
    SELECT netns, cookie, inode FROM socket WHERE COALESCE(drops, 0) = 0
        AND MAX(COALESCE(queue_peak_bytes_max, 0), COALESCE(queue_bytes_max, 0)) >= :warning * rcvbuf_bytes),
filled AS (
    SELECT netns, cookie, inode, SUM(MAX(COALESCE(queue_peak_bytes, 0), queue_bytes) >= :warning * rcvbuf_bytes) AS n,
           SUM(drops) AS drops, MAX(MAX(COALESCE(queue_peak_bytes, 0), queue_bytes)) AS peak_bytes
    FROM (SELECT 1 FROM near LIMIT 1) CROSS JOIN socket_step CROSS JOIN near USING (netns, cookie, inode)
    WHERE rcvbuf_bytes > 0 GROUP BY netns, cookie, inode),
told AS (
    SELECT f.netns, f.peak_bytes, s.address, s.port, s.rcvbuf_bytes, 1.0 * peak_bytes / s.rcvbuf_bytes AS share,
           (SELECT MIN(pid) FROM owner o WHERE o.inode = s.inode AND s.inode > 0) AS pid
    FROM filled f JOIN socket s USING (netns, cookie, inode), window
    WHERE COALESCE(f.drops, 0) = 0 AND n >= MIN(:steps, steps) ORDER BY share DESC LIMIT :sockets)
SELECT t.netns, address, port, p.comm AS process, t.pid, NULLIF(p.unit, '') AS unit, NULLIF(p.container,
       '') AS container,
       MIN(1.0, share) AS value, MIN(1.0, share) AS peak_share, peak_bytes, rcvbuf_bytes,
       COALESCE(p.comm || ' (port ' || port || ')', 'port ' || port) AS reader, p.pid AS seen_pid,
       CASE t.netns WHEN 'host' THEN '' ELSE ' in namespace ' || t.netns END AS place,
       CASE t.netns WHEN 'host' THEN '' ELSE 'nsenter -t ' || COALESCE(netns_pid, 'PID') || ' -n ' END AS enter
FROM told t LEFT JOIN process p ON p.pid = t.pid LEFT JOIN (SELECT netns, netns_pid FROM snmp) USING (netns);
