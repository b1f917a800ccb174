-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       udp-memory-near
-- kind       level
-- explains   -
-- severity   warning
-- unit       ratio
-- text       UDP sockets hold {used_bytes}, {used_share} of the limit udp_mem[0]{beyond}
-- needs      sockstat.udp_mem_pages sysctl.udp_mem_min_pages
-- param      warning = 0.8        share of the limit
-- param      critical = 0.98      of it: the kernel refuses datagrams, and 6.18 counts that nowhere in netstat
-- param      page = 4096          bytes
-- do         See which sockets hold it (r in skmem) || ss -uamnp
-- do         Double the limit (up to {more_bytes} more) ||
--            sysctl -w net.ipv4.udp_mem="{new_min} {new_pressure} {new_max}" ||
--            sysctl -w net.ipv4.udp_mem="{udp_mem_min_pages} {udp_mem_pressure_pages} {udp_mem_max_pages}"
-- ref        net/core/sock.c __sk_mem_raise_allocated(): UDP has no memory pressure, so udp_mem[0] is the limit
SELECT share AS value, share AS used_share, used * :page AS used_bytes, CASE WHEN share >= :critical THEN 'critical'
       ELSE 'warning' END AS severity,
       CASE WHEN share >= :critical
           THEN ': datagrams are refused, on kernel 6.18 without a counter (only d in ss -uamn shows it)'
           ELSE '' END AS beyond,
       udp_mem_min_pages, udp_mem_pressure_pages, udp_mem_max_pages, 2 * udp_mem_min_pages AS new_min,
       MAX(2 * udp_mem_min_pages, udp_mem_pressure_pages) AS new_pressure,
           MAX(2 * udp_mem_min_pages, udp_mem_max_pages) AS new_max,
       udp_mem_min_pages * :page AS more_bytes
FROM (SELECT *, udp_mem_pages_max AS used, 1.0 * udp_mem_pages_max / udp_mem_min_pages AS share
      FROM sockstat JOIN sysctl USING (netns) WHERE netns = 'host')
WHERE share >= :warning AND NOT EXISTS (SELECT 1 FROM ledger WHERE locus = 'udp-memory');
