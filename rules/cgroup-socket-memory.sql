-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       cgroup-socket-memory
-- kind       cause
-- explains   udp-memory
-- severity   warning
-- title      {group} is at its memory limit: datagrams for {reader} are refused{place}
-- needs      socket.drops cgroup.memory_current_bytes|cgroup.socket_memory_max_bytes
-- when       EXISTS (SELECT 1 FROM receiver)
-- param      certain = 0.92        and the host's UDP memory is far from its limit
-- param      near = 0.95           of the group's limit
-- param      host = 0.9            of udp_mem[0]: from there on the host's limit may be the reason
-- evidence   refused datagrams {refused} datagrams were dropped at the socket for want of memory
-- evidence   limit_bytes bytes {group} used {current_bytes} of the {limit_bytes} that it may have
-- evidence   limit_events events it ran into that limit {limit_events} times
-- evidence   socket_limit_bytes bytes its sockets used {socket_peak_bytes} of the {socket_limit_bytes} that they may have
--            (memory.kmem.tcp, which holds for UDP too)
-- evidence   host_share ratio the host's UDP memory is filled {host_share} only
-- evidence   owner_names - the socket is held by {owner_names}
-- do         Raise the limit || systemctl set-property {limit_unit} MemoryMax={new_bytes:raw} ||
--            systemctl set-property {limit_unit} MemoryMax={limit_bytes:raw}
-- do         Raise the memory limit of {no_unit} to {new_bytes}
-- do         Raise the limit || echo {new_socket_bytes} | tee
--            /sys/fs/cgroup/memory{v1_path}/memory.kmem.tcp.limit_in_bytes ||
--            echo {socket_limit_bytes:raw} | tee /sys/fs/cgroup/memory{v1_path}/memory.kmem.tcp.limit_in_bytes
-- do         Or find what fills it || grep . /sys/fs/cgroup{v2_path}/memory.stat
-- not        udp_mem: the host's limit is not reached
-- not        A larger receive buffer: it would be charged to the same group
-- ruled-out  no lossy socket belongs to a control group that is at its memory limit
-- ref        mm/memcontrol.c mem_cgroup_charge_skmem(): refused as by udp_mem; 6.18 counts neither in netstat
WITH host AS (
    SELECT 1.0 * udp_mem_pages_max / udp_mem_min_pages AS host_share FROM sockstat JOIN sysctl USING (netns)
    WHERE netns = 'host'),
at_limit AS ( -- at the time; the limits may have been raised since
    SELECT path, MIN(CASE WHEN memory_max_events > 0 OR memory_current_bytes >= :near * memory_max_bytes
               THEN memory_max_bytes END) AS limit_bytes,
           MIN(CASE WHEN socket_memory_peak_bytes >= :near * socket_memory_max_bytes
               THEN socket_memory_max_bytes END) AS socket_limit_bytes
    FROM cgroup_step WHERE memory_max_events > 0 OR memory_current_bytes >= :near * memory_max_bytes
        OR socket_memory_peak_bytes >= :near * socket_memory_max_bytes GROUP BY path),
groups AS (
    SELECT r.receiver, c.path, c.version, NULLIF(c.unit, '') AS group_unit, c.memory_current_bytes_max AS current_bytes,
           l.limit_bytes, NULLIF(c.memory_max_events, 0) AS limit_events,
           c.socket_memory_peak_bytes_max AS socket_peak_bytes, l.socket_limit_bytes,
           l.socket_limit_bytes IS NOT NULL AS by_sockets,
           COALESCE(c.memory_max_bytes > l.limit_bytes, 0) AS memory_raised,
           COALESCE(c.socket_memory_max_bytes > l.socket_limit_bytes,
               l.socket_limit_bytes IS NOT NULL AND c.socket_memory_max_bytes IS NULL) AS sockets_raised,
           ROW_NUMBER() OVER (PARTITION BY r.receiver ORDER BY length(c.path) DESC) AS place
    FROM receiver r JOIN cgroup c ON substr(r.memory_cgroup || '/', 1, length(c.path) + 1) = c.path || '/'
    JOIN at_limit l ON l.path = c.path
    WHERE r.memory_lost > 0)
SELECT netns, address, port, process, pid, unit, container, memory_lost AS lost, memory_lost AS subject_lost,
       :certain * CASE WHEN host_share IS NULL THEN 0.8 ELSE 1 END AS confidence, COALESCE(group_unit,
           path) AS "group", reader,
       r.place, memory_lost AS refused, CASE WHEN NOT by_sockets THEN limit_bytes END AS limit_bytes, current_bytes,
       CASE WHEN NOT by_sockets THEN limit_events END AS limit_events,
       CASE WHEN by_sockets THEN socket_limit_bytes END AS socket_limit_bytes, socket_peak_bytes, host_share,
           owner_names,
       CASE WHEN NOT by_sockets AND container IS NULL AND NOT memory_raised THEN group_unit END AS limit_unit,
       CASE WHEN NOT by_sockets AND NOT memory_raised AND (group_unit IS NULL OR container IS NOT NULL)
           THEN COALESCE('container ' || container, path) END AS no_unit,
       CAST(limit_bytes * 1.5 / 1048576 + 1 AS INTEGER) * 1048576 AS new_bytes, CASE WHEN NOT sockets_raised
           THEN 2 * socket_limit_bytes END AS new_socket_bytes,
       CASE WHEN by_sockets THEN path END AS v1_path, CASE WHEN NOT by_sockets AND version = 2 THEN path END AS v2_path
FROM groups g JOIN receiver r USING (receiver) LEFT JOIN host
WHERE g.place = 1 AND COALESCE(host_share, 0) < :host;
