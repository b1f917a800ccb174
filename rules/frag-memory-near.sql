-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       frag-memory-near
-- kind       level
-- explains   -
-- severity   warning
-- unit       ratio
-- text       Incomplete {family} datagrams{place} hold {memory_bytes}, {memory_share} of {high_name}: above it
--            every fragment is refused
-- needs      sockstat.frag_memory_bytes sysctl.ipfrag_high_thresh_bytes
-- param      warning = 0.8        share of the limit
-- do         Let them hold more || {enter}sysctl -w {high_name}={new_bytes} ||
--            {enter}sysctl -w {high_name}={threshold_bytes}
-- do         Or give up incomplete ones sooner || {enter}sysctl -w {time_name}={new_time} ||
--            {enter}sysctl -w {time_name}={time_s}
-- ref        net/ipv4/inet_fragment.c
WITH family AS (
    SELECT netns, 'IPv4' AS family, 'net.ipv4.ipfrag_high_thresh' AS high_name, 'net.ipv4.ipfrag_time' AS time_name,
           frag_memory_bytes_max AS memory, ipfrag_high_thresh_bytes AS threshold, ipfrag_time_s AS time_s
    FROM sockstat JOIN sysctl USING (netns)
    UNION ALL SELECT netns, 'IPv6', 'net.ipv6.ip6frag_high_thresh', 'net.ipv6.ip6frag_time',
           frag6_memory_bytes_max, ip6frag_high_thresh_bytes, ip6frag_time_s
    FROM sockstat JOIN sysctl USING (netns))
SELECT netns, family, high_name, time_name, 1.0 * memory / threshold AS value,
       1.0 * memory / threshold AS memory_share,
       memory AS memory_bytes, threshold AS threshold_bytes, time_s, CASE WHEN time_s > 5 THEN 5 END AS new_time,
       MAX(4194304, 4 * threshold) AS new_bytes,
       CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place,
       CASE netns WHEN 'host' THEN '' ELSE 'nsenter -t ' || COALESCE(netns_pid, 'PID') || ' -n ' END AS enter
FROM family LEFT JOIN (SELECT netns, netns_pid FROM snmp) USING (netns)
WHERE threshold > 0 AND memory >= :warning * threshold
    AND netns NOT IN (SELECT netns FROM ledger WHERE locus = 'reassembly');
