-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       udp-memory
-- kind       cause
-- explains   udp-memory
-- severity   critical
-- title      UDP memory is at its limit, datagrams are refused{place}
-- needs      snmp.udp_mem_errors|snmp.udp6_mem_errors
-- param      certain = 0.9
-- param      unseen = 0.5         the memory was seen below the limit, or not at all
-- param      near = 0.9           share of the limit; the count is coarse (per CPU) on kernels since 6.1
-- param      page = 4096          bytes
-- evidence   lost datagrams {lost} datagrams refused for want of memory (MemErrors)
-- evidence   full_share ratio all UDP sockets of the host hold {used_bytes}, {full_share} of the limit
--            udp_mem[0] = {udp_mem_min_pages:raw} pages
-- against    free_share ratio UDP memory is filled {free_share} at most: then the limit of a cgroup refuses
--            them (memory.max, MemoryMax of the unit)
-- do         See which sockets hold it (r in skmem); a reader that never reads is the cure worth most ||
--            {enter}ss -uamnp
-- do         Double the limit, the first number ({more_bytes} more) ||
--            sysctl -w net.ipv4.udp_mem="{new_min} {new_pressure} {new_max}" ||
--            sysctl -w net.ipv4.udp_mem="{udp_mem_min_pages} {udp_mem_pressure_pages} {udp_mem_max_pages}"
-- do         See which unit is at its memory limit || grep . /sys/fs/cgroup/*.slice/*/memory.events
-- not        A bigger rmem_max: the sockets' own buffers are not what is full
-- not        The second and third number of udp_mem: UDP drops at the first
-- ruled-out  no datagram was refused for want of UDP memory in {seconds} (kernel 6.18 does not count them: see
--            the level)
-- ref        net/core/sock.c __sk_mem_raise_allocated(): UDP has no memory pressure, so udp_mem[0] is the limit
WITH host AS (
    SELECT udp_mem_min_pages, udp_mem_pressure_pages, udp_mem_max_pages, udp_mem_pages_max AS used,
           1.0 * udp_mem_pages_max / udp_mem_min_pages AS share
    FROM (SELECT * FROM sysctl WHERE netns = 'host') LEFT JOIN (SELECT udp_mem_pages_max FROM sockstat
        WHERE netns = 'host'))
SELECT netns, datagrams AS lost, CASE WHEN share >= :near AND kind <> 'since-boot' THEN :certain
       ELSE :unseen END AS confidence,
       CASE WHEN share >= :near THEN share END AS full_share, CASE WHEN share < :near AND kind <> 'since-boot'
           THEN share END AS free_share,
       used * :page AS used_bytes, udp_mem_min_pages, udp_mem_pressure_pages, udp_mem_max_pages,
       CASE WHEN COALESCE(share, 1) >= :near THEN 2 * udp_mem_min_pages END AS new_min,
       CASE WHEN kind = 'since-boot' THEN 'warning' END AS severity,
       MAX(2 * udp_mem_min_pages, udp_mem_pressure_pages) AS new_pressure,
       MAX(2 * udp_mem_min_pages, udp_mem_max_pages) AS new_max, udp_mem_min_pages * :page AS more_bytes,
       CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place,
       CASE netns WHEN 'host' THEN '' ELSE 'nsenter -t ' || COALESCE(netns_pid, 'PID') || ' -n ' END AS enter
FROM ledger JOIN (SELECT netns, netns_pid FROM snmp) USING (netns) LEFT JOIN host, window
WHERE locus = 'udp-memory';
