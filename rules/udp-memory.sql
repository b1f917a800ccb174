-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       udp-memory
-- kind       cause
-- explains   udp-memory
-- after      reader-stopped reader-not-reading
-- severity   critical
-- title      UDP memory is at its limit, datagrams are refused{place}
-- needs      snmp.udp_mem_errors|snmp.udp6_mem_errors|socket.drops
-- param      certain = 0.95
-- param      unseen = 0.5         the memory was seen below the limit, or not at all
-- param      near = 0.9           share of the limit; the count is coarse (per CPU) on kernels since 6.1
-- param      much = 0.3           of the memory that one socket holds to be named
-- param      page = 4096          bytes
-- evidence   lost datagrams {lost} datagrams refused for want of memory ({counted})
-- evidence   full_share ratio all UDP sockets of the host hold {used_bytes}, {full_share} of the limit
--            udp_mem[0] = {limit_pages:raw} pages
-- evidence   holders - most is held by {holders}
-- evidence   losers - refused at {losers}
-- against    free_share ratio UDP memory is filled {free_share} at most: then the limit of a cgroup refuses
--            them (memory.max, MemoryMax of the unit)
-- do         Let {holder} read, or restart it: its queue holds {held_bytes} ||
--            systemctl restart {holder_unit}
-- do         See which sockets hold it (r in skmem); a reader that never reads is the cure worth most{unnamed} ||
--            {enter}ss -uamnp
-- do         Double the limit, the first number ({more_bytes} more) ||
--            sysctl -w net.ipv4.udp_mem="{new_min} {new_pressure} {new_max}" ||
--            sysctl -w net.ipv4.udp_mem="{udp_mem_min_pages} {udp_mem_pressure_pages} {udp_mem_max_pages}"
-- do         See which unit is at its memory limit{below} || grep . /sys/fs/cgroup/*.slice/*/memory.events
-- not        A bigger rmem_max: the sockets' own buffers are not what is full
-- not        The second and third number of udp_mem: UDP drops at the first
-- ruled-out  no datagram was refused for want of UDP memory in {seconds}
-- ref        net/core/sock.c __sk_mem_raise_allocated(): UDP has no memory pressure, so udp_mem[0] is the limit
WITH host AS (
    SELECT udp_mem_min_pages, udp_mem_pressure_pages, udp_mem_max_pages, udp_mem_pages_max AS used, limit_pages,
           1.0 * udp_mem_pages_max / limit_pages AS share
    FROM (SELECT *, MIN(udp_mem_min_pages, COALESCE((SELECT MIN(udp_mem_min_pages) FROM sysctl_step
              WHERE netns = 'host'), udp_mem_min_pages)) AS limit_pages -- it may have been raised since
          FROM sysctl WHERE netns = 'host') LEFT JOIN (SELECT udp_mem_pages_max FROM sockstat WHERE netns = 'host')),
held AS ( -- the sockets that hold most, whether they lose or not; the limit is one for all namespaces
    SELECT netns, address, port, inode, MAX(COALESCE(rmem_bytes_max, queue_bytes_max)) AS held_bytes,
           (SELECT MIN(pid) FROM owner o WHERE o.inode = s.inode AND s.inode > 0) AS pid
    FROM socket s GROUP BY netns, cookie, inode HAVING held_bytes > 65536 ORDER BY held_bytes DESC LIMIT 3),
named AS (
    SELECT h.*, comm, NULLIF(unit, '') AS unit, NULLIF(container, '') AS container,
           COALESCE(comm, 'port') || ' (' || CASE WHEN comm IS NULL THEN '' ELSE 'port ' END || port || ')' AS name,
           ROW_NUMBER() OVER (ORDER BY held_bytes DESC) AS place
    FROM held h LEFT JOIN (SELECT pid, comm, unit, container FROM process) USING (pid)),
lost AS (
    SELECT netns, SUM(datagrams) AS datagrams FROM ledger WHERE locus = 'udp-memory' GROUP BY netns),
refused AS (
    SELECT netns, SUM(memory_lost) AS n, GROUP_CONCAT(reader || ' ' || memory_lost, ', ') AS losers,
           MAX(memory_lost), address, port, process, pid, unit, container
    FROM (SELECT * FROM receiver WHERE memory_lost > 0 ORDER BY memory_lost DESC LIMIT 4) GROUP BY netns),
limited AS ( -- what control groups refuse is told by their rule
    SELECT DISTINCT r.netns FROM receiver r JOIN cgroup c
        ON substr(COALESCE(r.memory_cgroup, '') || '/', 1, length(c.path) + 1) = c.path || '/'
    JOIN cgroup_step s ON s.path = c.path
    WHERE r.memory_lost > 0 AND (s.memory_max_events > 0 OR s.memory_current_bytes >= 0.95 * s.memory_max_bytes
        OR s.socket_memory_peak_bytes >= 0.95 * s.socket_memory_max_bytes))
SELECT l.netns, COALESCE(h.address, r.address) AS address, COALESCE(h.port, r.port) AS port, COALESCE(h.comm,
       r.process) AS process,
       COALESCE(h.pid, r.pid) AS pid, COALESCE(h.unit, r.unit) AS unit, COALESCE(h.container, r.container) AS container,
       datagrams AS lost, datagrams AS subject_lost, CASE WHEN share >= :near AND kind <> 'since-boot' THEN :certain
       ELSE :unseen END AS confidence,
       CASE WHEN COALESCE(udp_mem_errors, 0) + COALESCE(udp6_mem_errors, 0) > 0 THEN 'MemErrors'
            ELSE 'which this kernel counts at the socket only' END AS counted,
       CASE WHEN share >= :near THEN share END AS full_share, CASE WHEN share < :near AND kind <> 'since-boot'
           THEN share END AS free_share,
       (SELECT GROUP_CONCAT(name || ' ' || (held_bytes / 1024) || ' KiB', ', ') FROM named) AS holders, losers,
       h.name AS holder, h.held_bytes, h.unit AS holder_unit, CASE WHEN h.name IS NULL THEN '' END AS unnamed,
       CASE WHEN COALESCE(share, 0) < :near THEN '' END AS below,
       used * :page AS used_bytes, limit_pages, udp_mem_min_pages, udp_mem_pressure_pages, udp_mem_max_pages,
       CASE WHEN COALESCE(share, 1) >= :near AND COALESCE(udp_mem_min_pages = limit_pages, 1)
           THEN 2 * udp_mem_min_pages END AS new_min,
       CASE WHEN kind = 'since-boot' THEN 'warning' END AS severity,
       MAX(2 * udp_mem_min_pages, udp_mem_pressure_pages) AS new_pressure,
       MAX(2 * udp_mem_min_pages, udp_mem_max_pages) AS new_max, udp_mem_min_pages * :page AS more_bytes,
       CASE l.netns WHEN 'host' THEN '' ELSE ' in namespace ' || l.netns END AS place,
       CASE l.netns WHEN 'host' THEN '' ELSE 'nsenter -t ' || COALESCE(netns_pid, 'PID') || ' -n ' END AS enter
FROM lost l JOIN snmp USING (netns) LEFT JOIN host LEFT JOIN refused r ON r.netns = l.netns
LEFT JOIN named h ON h.place = 1 AND h.held_bytes >= :much * used * :page, window
WHERE COALESCE(share, 0) >= :near OR l.netns NOT IN (SELECT netns FROM limited);
