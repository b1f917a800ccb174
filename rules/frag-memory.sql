-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       frag-memory
-- kind       cause
-- explains   reassembly
-- severity   warning
-- title      The {family} reassembly memory is full{place}
-- needs      snmp.ip_reasm_timeout|snmp.ip6_reasm_timeout
-- param      certain = 0.95
-- param      filling = 0.6        the memory was seen above half of the limit only: it may have been full
--            between two looks
-- param      unseen = 0.5         memory or limit are not known, or it is one look since boot
-- param      hidden = 0.3         conntrack reassembles IPv6 and counts time-outs only, so lost fragments look
--            the same
-- param      refused = 0.2        share of the failures that are no time-outs
-- param      only = 3             times the time-outs: over IPv6 only memory, or overlaps, refuse so many
--            fragments
-- param      passing = 0.02       incomplete datagrams for each refused fragment, as there are without a full memory
-- param      pieces = 45          fragments of the largest datagram: the distance check lets each datagram
--            time out in the end, so that more refused fragments a time-out than these are memory too
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
-- against    now_bytes bytes {high_name} was raised to {now_bytes} meanwhile: look whether it goes on
-- do         Read the limit and the memory in use ||
--            {enter}sh -c 'sysctl {high_name:raw}; grep FRAG /proc/net/sockstat*'
-- do         Let incomplete datagrams hold {new_bytes}: datagrams of {pieces} fragments at {rate}, and those
--            that miss one || {enter}sysctl -w {high_name}={new_bytes} ||
--            {enter}sysctl -w {high_name}={threshold_bytes}
-- do         Let incomplete datagrams hold more: {unrated_bytes} ||
--            {enter}sysctl -w {high_name}={unrated_bytes} || {enter}sysctl -w {high_name}={threshold_bytes}
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
-- ruled-out  reassembly memory is not what refused fragments in {seconds}
-- ref        net/ipv4/inet_fragment.c, net/ipv6/reassembly.c, net/ipv6/netfilter/nf_conntrack_reasm.c: above
--            high_thresh every fragment is refused
WITH lossy AS (
    SELECT netns, datagrams FROM ledger WHERE locus = 'reassembly'),
peaks AS (
    SELECT netns, MAX(ip_reasm_reqds / seconds) AS peak, MAX(ip6_reasm_reqds / seconds) AS peak6
    FROM snmp_step WHERE netns IN (SELECT netns FROM lossy) GROUP BY netns),
lowest AS ( -- a limit that was raised meanwhile is not the one that lost
    SELECT netns, MIN(ipfrag_high_thresh_bytes) AS threshold, MIN(ip6frag_high_thresh_bytes) AS threshold6
    FROM sysctl_step GROUP BY netns),
seen AS (
    SELECT * FROM lossy JOIN snmp USING (netns) LEFT JOIN peaks USING (netns) LEFT JOIN lowest USING (netns)
    LEFT JOIN sysctl USING (netns) LEFT JOIN sockstat USING (netns)),
family AS (
    SELECT netns, netns_pid, datagrams, 'IPv4' AS family, 0 AS hidden, 'net.ipv4.ipfrag_high_thresh' AS high_name,
           'net.ipv4.ipfrag_low_thresh' AS low_name, 'net.ipv4.ipfrag_time' AS time_name,
           ip_reasm_fails AS fails, ip_reasm_timeout AS timeouts, ip_reasm_oks AS oks, ip_reasm_reqds AS reqds,
               peak,
           MAX(0, ip_reasm_fails - ip_reasm_timeout - COALESCE(ip_ext_reasm_overlaps, 0)) AS refused,
           frag_inuse_max AS inuse, frag_memory_bytes_max AS memory, ipfrag_time_s AS time_s,
           COALESCE(MIN(threshold, ipfrag_high_thresh_bytes), ipfrag_high_thresh_bytes) AS threshold,
           ipfrag_high_thresh_bytes AS now
    FROM seen
    UNION ALL
    SELECT netns, netns_pid, datagrams, 'IPv6', 0, 'net.ipv6.ip6frag_high_thresh', 'net.ipv6.ip6frag_low_thresh',
           'net.ipv6.ip6frag_time', ip6_reasm_fails, ip6_reasm_timeout, ip6_reasm_oks, ip6_reasm_reqds, peak6,
           MAX(0, ip6_reasm_fails - ip6_reasm_timeout), frag6_inuse_max, frag6_memory_bytes_max, ip6frag_time_s,
           COALESCE(MIN(threshold6, ip6frag_high_thresh_bytes), ip6frag_high_thresh_bytes),
               ip6frag_high_thresh_bytes
    FROM seen
    UNION ALL -- where conntrack reassembles, only time-outs are counted
    SELECT netns, netns_pid, datagrams, 'IPv6 (conntrack)', 1, 'net.netfilter.nf_conntrack_frag6_high_thresh',
           'net.netfilter.nf_conntrack_frag6_low_thresh', 'net.netfilter.nf_conntrack_frag6_timeout',
           ip6_reasm_fails, ip6_reasm_timeout, NULL, NULL, NULL, NULL, NULL, NULL, nf_conntrack_frag6_timeout_s,
           nf_conntrack_frag6_high_thresh_bytes, nf_conntrack_frag6_high_thresh_bytes
    FROM seen
    WHERE ip6_reasm_reqds = 0 AND ip6_reasm_timeout > 0 AND nf_conntrack_frag6_high_thresh_bytes IS NOT NULL),
sized AS (
    SELECT *, CAST(MAX(2, MIN(45, COALESCE(ROUND(1.0 * (reqds - refused) / NULLIF(oks, 0)), 2))) AS INTEGER)
           AS pieces
    FROM family),
judged AS (
    SELECT *, CASE
           WHEN hidden THEN :hidden
           WHEN refused = 0 OR refused < :refused * fails THEN NULL
           WHEN kind = 'since-boot' OR memory IS NULL OR threshold IS NULL THEN :unseen
           WHEN memory >= threshold - :one_fragment THEN :certain
           WHEN memory >= 0.5 * threshold THEN :filling
           -- what is full stays so until something times out; one or two may be on their way
           WHEN inuse <= :passing * refused AND timeouts = 0 THEN NULL
           WHEN family = 'IPv6' AND refused >= :only * (timeouts + 1) THEN :unseen
           WHEN refused > :pieces * (timeouts + 1) AND seconds > 1.5 * time_s THEN :unseen END AS confidence,
           (peak / pieces * :reorder_s + timeouts / seconds * time_s) * (pieces * :truesize + :queue) AS need
    FROM sized, window),
shared AS ( -- what the other family timed out is not this one's
    SELECT netns, SUM(CASE WHEN confidence IS NOT NULL THEN fails END) AS fails_here,
           TOTAL(CASE WHEN confidence IS NULL THEN timeouts END) AS timeouts_elsewhere
    FROM judged WHERE NOT hidden GROUP BY netns),
advised AS (
    SELECT *, (MAX(:stock_bytes, 4 * COALESCE(now, 0),
           MIN(CAST(CASE WHEN kind = 'since-boot' THEN 0 ELSE COALESCE(need, 0) END AS INTEGER),
                   COALESCE((SELECT total_bytes / 16 FROM memory), 0))) + 1048575) / 1048576 * 1048576 AS advice
    FROM judged JOIN shared USING (netns)
    WHERE confidence IS NOT NULL)
SELECT netns, family, high_name, low_name, time_name, confidence, timeouts, oks, inuse, time_s, pieces,
       CASE WHEN hidden THEN MIN(timeouts, datagrams)
            ELSE ROUND((datagrams - timeouts_elsewhere) * fails / fails_here) END AS lost,
       CASE WHEN NOT hidden THEN refused END AS refused, memory AS memory_bytes,
           CASE WHEN now = threshold THEN 1.0 * memory / threshold END AS memory_share,
       threshold AS threshold_bytes, CASE WHEN now > threshold THEN now END AS now_bytes,
       CASE WHEN threshold IS NULL THEN 1 END AS threshold_unknown,
           CASE WHEN threshold IS NULL THEN '' END AS unread,
       CASE WHEN kind = 'since-boot' THEN 1 END AS one_look, CASE WHEN hidden THEN 1 END AS is_hidden,
       peak / pieces AS rate, CASE WHEN kind <> 'since-boot' AND peak > 0 AND now = threshold
           THEN advice END AS new_bytes,
       CASE WHEN (kind = 'since-boot' OR peak IS NULL) AND now = threshold THEN advice END AS unrated_bytes,
       CASE WHEN time_s > :short_time_s THEN :short_time_s END AS new_time,
       CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place,
       CASE netns WHEN 'host' THEN '' ELSE 'nsenter -t ' || COALESCE(netns_pid, 'PID') || ' -n ' END AS enter
FROM advised;
