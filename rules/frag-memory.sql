-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       frag-memory
-- kind       cause
-- explains   reassembly
-- severity   warning
-- title      The {family} reassembly memory is full{place}
-- needs      snmp.ip_reasm_fails snmp.ip_reasm_timeout
-- param      certain = 0.95
-- param      filling = 0.6        the memory was seen above half of the limit only: it may have been full
--            between two looks
-- param      unseen = 0.5         memory or limit are not known, or it is one look since boot
-- param      hidden = 0.3         conntrack reassembles IPv6 and counts time-outs only, so lost fragments look
--            the same
-- param      refused = 0.2        share of the failures that are no time-outs
-- param      one_fragment = 4352  the largest usual fragment's memory: this close to the limit it is full
-- param      truesize = 2304      memory of one fragment of up to 1,472 bytes
-- param      queue = 200          memory of a datagram's own record
-- param      reorder_s = 0.25     how long the fragments of a datagram that arrives whole are under way
-- param      short_time_s = 5     time to wait that a fragment which still comes needs at most
-- param      stock_bytes = 4194304   the kernel's default limit
-- evidence   refused fragments {refused} fragments refused beside {timeouts} datagrams timed out and {oks}
--            reassembled
-- evidence   memory_share ratio {inuse} incomplete datagrams hold {memory_bytes}, {memory_share} of
--            {high_name} = {threshold_bytes}
-- evidence   threshold_bytes bytes {high_name} is {threshold_bytes} ({threshold_bytes:raw})
-- evidence   time_s s what misses a fragment keeps its memory for {time_name} = {time_s}
-- against    threshold_unknown flag {high_name} of this namespace could not be read
-- against    one_look flag the memory in use now says nothing about the failures since boot: ipfrag_max_dist
--            can be it too
-- against    is_hidden flag conntrack reassembles here and does not count what it refuses: fragments lost on
--            the way look the same
-- do         Read the limit and the memory in use ||
--            {enter}sh -c 'sysctl {high_name:raw}; grep FRAG /proc/net/sockstat*'
-- do         Let incomplete datagrams hold {new_bytes}: room for {rate} datagrams of {pieces} fragments under
--            way, and those that miss one || {enter}sysctl -w {high_name}={new_bytes} ||
--            {enter}sysctl -w {high_name}={threshold_bytes}
-- do         If the memory in use is at the limit: four times the limit (16 MiB where it is the kernel's 4
--            MiB){unread} || {enter}sysctl -w {high_name}=16777216 || {enter}sysctl -w {high_name}=OLD
-- do         Or free what lost fragments hold sooner: as good as a higher limit ||
--            {enter}sysctl -w {time_name}={new_time} || {enter}sysctl -w {time_name}={time_s}
-- do         Best: datagrams that need no fragments: at most 1472 bytes over IPv4, 1452 over IPv6, at an MTU
--            of 1500
-- not        A longer {time_name}: it keeps the remains of lost datagrams longer and fills the memory
-- not        {low_name}: no effect since 4.17 (it only must not exceed the other; to lower that one, lower
--            this first)
-- not        rmem_max and socket buffers: these datagrams never became whole
-- ruled-out  no fragment was refused for want of reassembly memory in {seconds}
-- ref        net/ipv4/inet_fragment.c, net/ipv6/reassembly.c, net/ipv6/netfilter/nf_conntrack_reasm.c: above
--            high_thresh every fragment is refused
WITH family AS (
    SELECT s.netns, 'IPv4' AS family, 'net.ipv4.ipfrag_high_thresh' AS high_name,
           'net.ipv4.ipfrag_low_thresh' AS low_name,
           'net.ipv4.ipfrag_time' AS time_name, ip_reasm_fails AS fails, ip_reasm_timeout AS timeouts,
           COALESCE(ip_ext_reasm_overlaps, 0) AS overlaps, ip_reasm_oks AS oks, ip_reasm_reqds AS reqds,
               frag_inuse_max AS inuse,
           frag_memory_bytes_max AS memory, ipfrag_high_thresh_bytes AS threshold, ipfrag_time_s AS time_s,
               0 AS hidden,
           (SELECT MAX(ip_reasm_reqds / seconds) FROM snmp_step p WHERE p.netns = s.netns) AS peak
    FROM snmp s LEFT JOIN sockstat USING (netns) LEFT JOIN sysctl USING (netns)
    UNION ALL
    SELECT s.netns, 'IPv6', 'net.ipv6.ip6frag_high_thresh', 'net.ipv6.ip6frag_low_thresh', 'net.ipv6.ip6frag_time',
           ip6_reasm_fails, ip6_reasm_timeout, 0, ip6_reasm_oks, ip6_reasm_reqds, frag6_inuse_max,
           frag6_memory_bytes_max, ip6frag_high_thresh_bytes, ip6frag_time_s, 0,
           (SELECT MAX(ip6_reasm_reqds / seconds) FROM snmp_step p WHERE p.netns = s.netns)
    FROM snmp s LEFT JOIN sockstat USING (netns) LEFT JOIN sysctl USING (netns)
    UNION ALL -- where conntrack reassembles, only time-outs are counted
    SELECT s.netns, 'IPv6 (conntrack)', 'net.netfilter.nf_conntrack_frag6_high_thresh',
           'net.netfilter.nf_conntrack_frag6_low_thresh',
           'net.netfilter.nf_conntrack_frag6_timeout', ip6_reasm_fails, ip6_reasm_timeout, 0, NULL, NULL, NULL,
           NULL, nf_conntrack_frag6_high_thresh_bytes, nf_conntrack_frag6_timeout_s, 1, NULL
    FROM snmp s LEFT JOIN sysctl USING (netns)
    WHERE ip6_reasm_reqds = 0 AND ip6_reasm_timeout > 0 AND nf_conntrack_frag6_high_thresh_bytes IS NOT NULL),
counted AS (
    SELECT *, MAX(0, fails - timeouts - overlaps) AS refused,
           CAST(MAX(2, MIN(45, COALESCE(ROUND(1.0 * (reqds - MAX(0, fails - timeouts - overlaps)) / NULLIF(oks, 0)),
               2))) AS INTEGER) AS pieces
    FROM family),
judged AS (
    SELECT *, CASE
           WHEN hidden THEN :hidden
           WHEN refused = 0 OR refused < :refused * fails THEN NULL
           WHEN kind = 'since-boot' OR memory IS NULL OR threshold IS NULL THEN :unseen
           WHEN memory >= threshold - :one_fragment THEN :certain
           WHEN memory >= 0.5 * threshold THEN :filling END AS confidence,
           peak / pieces * :reorder_s * (pieces * :truesize + :queue)
           + timeouts / seconds * time_s * (pieces * :truesize + :queue) AS need
    FROM counted, window)
SELECT netns, family, high_name, low_name, time_name, confidence,
       CASE WHEN hidden THEN MIN(timeouts, g.datagrams) ELSE ROUND((g.datagrams - (SELECT TOTAL(o.timeouts)
           FROM judged o
           WHERE o.netns = j.netns AND NOT o.hidden AND o.confidence IS NULL)) * fails
           / (SELECT SUM(fails) FROM judged o WHERE o.netns = j.netns AND NOT o.hidden
               AND o.confidence IS NOT NULL)) END AS lost,
       CASE WHEN NOT hidden THEN refused END AS refused, timeouts, oks, inuse, memory AS memory_bytes,
       1.0 * memory / threshold AS memory_share, threshold AS threshold_bytes, time_s,
       CASE WHEN threshold IS NULL THEN 1 END AS threshold_unknown, CASE WHEN threshold IS NULL
           THEN '' END AS unread, CASE WHEN kind = 'since-boot' THEN 1 END AS one_look,
       CASE WHEN hidden THEN 1 END AS is_hidden, peak / pieces AS rate, pieces,
       CASE WHEN kind <> 'since-boot' OR threshold IS NOT NULL THEN
           (MAX(:stock_bytes, 4 * COALESCE(threshold, 0), MIN(CAST(COALESCE(need, 0) AS INTEGER),
               (SELECT total_bytes / 16 FROM memory))) + 1048575) / 1048576 * 1048576 END AS new_bytes,
       CASE WHEN time_s > :short_time_s THEN :short_time_s END AS new_time,
       CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place,
       CASE netns WHEN 'host' THEN '' ELSE 'nsenter -t ' || COALESCE(netns_pid, 'PID') || ' -n ' END AS enter
FROM judged j JOIN (SELECT netns, datagrams FROM ledger WHERE locus = 'reassembly') g USING (netns)
JOIN (SELECT netns, netns_pid FROM snmp) USING (netns)
WHERE confidence IS NOT NULL;
