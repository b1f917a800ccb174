-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       frag-too-far
-- kind       cause
-- explains   reassembly
-- severity   warning
-- title      Fragments come too far apart from the others of their datagram{place}
-- needs      snmp.ip_reasm_fails snmp.ip_reasm_timeout sockstat.frag_memory_bytes
-- param      certain = 0.6        malformed fragments would count the same
-- param      unseen = 0.35        where ipfrag_max_dist or the limit could not be read
-- param      refused = 0.2        share of the failures that are neither time-outs nor overlaps
-- param      pieces = 45          fragments of the largest datagram: each of these times out in the end
-- param      roomy = 0.5          share of the limit below which the memory is not it
-- evidence   refused fragments {refused} failures that are neither time-outs nor overlaps
-- evidence   memory_share ratio the reassembly memory is filled {memory_share} at most: not the reason
-- evidence   ipfrag_max_dist fragments net.ipv4.ipfrag_max_dist is {ipfrag_max_dist}: as many other fragments
--            of one source may come between
-- against    dist_unknown flag net.ipv4.ipfrag_max_dist of this namespace could not be read
-- do         Switch the check off: senders with several flows or queues break it ||
--            {enter}sysctl -w net.ipv4.ipfrag_max_dist=0 ||
--            {enter}sysctl -w net.ipv4.ipfrag_max_dist={old_dist}
-- do         Or send datagrams that need no fragments: at most 1472 bytes at an MTU of 1500
-- not        A higher ipfrag_high_thresh: the memory is filled {memory_share} at most
-- ruled-out  no fragment was refused with reassembly memory free in {seconds}
-- ref        net/ipv4/ip_fragment.c ip_frag_too_far(): the queue is flushed and begins anew; IPv6 has no such
--            check
WITH lowest AS ( -- a limit that was raised meanwhile may be the one that lost
    SELECT netns, MIN(ipfrag_high_thresh_bytes) AS threshold FROM sysctl_step GROUP BY netns),
judged AS (
    SELECT s.netns, netns_pid, ip_reasm_fails - ip_reasm_timeout - COALESCE(ip_ext_reasm_overlaps, 0) AS refused,
           ip_reasm_fails AS fails, ip_reasm_timeout AS timeouts, ipfrag_time_s, ipfrag_max_dist,
               frag_memory_bytes_max AS memory,
           COALESCE(MIN(threshold, ipfrag_high_thresh_bytes), ipfrag_high_thresh_bytes) AS threshold
    FROM snmp s LEFT JOIN sockstat USING (netns) LEFT JOIN sysctl USING (netns) LEFT JOIN lowest USING (netns))
SELECT netns, datagrams AS lost, refused, 1.0 * memory / threshold AS memory_share, ipfrag_max_dist,
       CASE WHEN ipfrag_max_dist IS NULL OR threshold IS NULL THEN :unseen ELSE :certain END AS confidence,
       CASE WHEN ipfrag_max_dist IS NULL THEN 1 END AS dist_unknown, COALESCE(ipfrag_max_dist, 64) AS old_dist,
       CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place,
       CASE netns WHEN 'host' THEN '' ELSE 'nsenter -t ' || COALESCE(netns_pid, 'PID') || ' -n ' END AS enter
FROM judged JOIN ledger USING (netns), window
WHERE locus = 'reassembly' AND kind <> 'since-boot' AND refused > 0 AND refused >= :refused * fails
    AND NOT (refused > :pieces * (timeouts + 1) AND seconds > 1.5 * COALESCE(ipfrag_time_s, 30))
    AND COALESCE(ipfrag_max_dist, 64) > 0 AND memory < :roomy * COALESCE(threshold, 4194304);
