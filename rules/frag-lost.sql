-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       frag-lost
-- kind       cause
-- explains   reassembly
-- severity   warning
-- title      Fragments are lost before they reach this stack ({family}){place}
-- needs      snmp.ip_reasm_timeout|snmp.ip6_reasm_timeout
-- param      certain = 0.85
-- param      unseen = 0.6         memory or limit are not known, or it is one look since boot
-- param      hidden = 0.5         conntrack reassembles IPv6 and counts time-outs only, so a full memory looks
--            the same
-- param      refused = 0.2        share of the failures that are no time-outs from which something here
--            refuses fragments
-- param      full = 0.8           share of the limit from which the memory may be it
-- evidence   timeouts datagrams {timeouts} datagrams missed a fragment until {time_name} was over ({time_s});
--            {oks} were reassembled
-- evidence   memory_share ratio the reassembly memory is filled {memory_share} at most ({memory_bytes} of
--            {threshold_bytes}): nothing is refused here
-- evidence   head_share ratio in {head_share} of them the first fragment was there (ICMP time exceeded was
--            sent): later ones are lost
-- evidence   no_head datagrams in none of them the first fragment was there (no ICMP time exceeded was sent)
-- against    memory_unknown flag the memory in use or its limit could not be read
-- against    is_hidden flag conntrack reassembles here (limit nf_conntrack_frag6_high_thresh) and does not
--            count what it refuses
-- do         Send datagrams that need no fragments: at most 1472 bytes over IPv4, 1452 over IPv6 (MTU 1500),
--            548 over unknown paths
-- do         See whose they are, and which fragments come || {enter}tcpdump -ni any -c 100 {filter}
-- do         Try the way back with fragments of your own (SENDER: who sends them) ||
--            {enter}ping -c 20 -s {ping_bytes} SENDER
-- do         Where the path allows it, larger frames on all of it: an MTU of 9000
-- not        A higher {high_name}: the memory is filled {memory_share} at most
-- not        A longer {time_name}: a fragment that is lost does not come later
-- ruled-out  fragments that never came are not what failed in {seconds}
-- ref        net/ipv4/ip_fragment.c ip_expire(): ReasmTimeout and ReasmFails, one each per datagram
WITH family AS (
    SELECT netns, 'IPv4' AS family, 'net.ipv4.ipfrag_high_thresh' AS high_name, 'net.ipv4.ipfrag_time' AS time_name,
           'ip[6:2] & 0x3fff != 0' AS filter, 4000 AS ping_bytes, ip_reasm_fails AS fails,
               ip_reasm_timeout AS timeouts,
           COALESCE(ip_ext_reasm_overlaps, 0) AS overlaps, ip_reasm_oks AS oks, frag_memory_bytes_max AS memory,
           ipfrag_high_thresh_bytes AS threshold, ipfrag_time_s AS time_s, icmp_out_time_excds AS answers,
               0 AS hidden
    FROM snmp LEFT JOIN sockstat USING (netns) LEFT JOIN sysctl USING (netns)
    UNION ALL
    SELECT netns, 'IPv6', CASE WHEN ip6_reasm_reqds = 0 AND nf_conntrack_frag6_high_thresh_bytes IS NOT NULL
                          THEN 'net.netfilter.nf_conntrack_frag6_high_thresh'
                                 ELSE 'net.ipv6.ip6frag_high_thresh' END,
           CASE WHEN ip6_reasm_reqds = 0 AND nf_conntrack_frag6_high_thresh_bytes IS NOT NULL
                THEN 'net.netfilter.nf_conntrack_frag6_timeout' ELSE 'net.ipv6.ip6frag_time' END,
           'ip6[6] = 44', 4000, ip6_reasm_fails, ip6_reasm_timeout, 0, ip6_reasm_oks, frag6_memory_bytes_max,
           ip6frag_high_thresh_bytes, ip6frag_time_s, icmp6_out_time_excds,
           COALESCE(ip6_reasm_reqds = 0 AND nf_conntrack_frag6_high_thresh_bytes IS NOT NULL, 0)
    FROM snmp LEFT JOIN sockstat USING (netns) LEFT JOIN sysctl USING (netns)),
judged AS (
    SELECT *, MIN(timeouts - overlaps, g.datagrams) AS lost,
           CASE WHEN hidden THEN :hidden WHEN kind = 'since-boot' OR memory IS NULL OR threshold IS NULL
               THEN :unseen
                WHEN memory >= :full * threshold THEN :unseen ELSE :certain END AS confidence,
           kind <> 'since-boot' AND NOT hidden AND memory < :full * threshold AS roomy
    FROM family JOIN (SELECT netns, datagrams FROM ledger WHERE locus = 'reassembly') g USING (netns), window
    WHERE timeouts > overlaps AND fails - timeouts - overlaps <= :refused * fails)
SELECT netns, family, high_name, time_name, time_s, filter, ping_bytes, lost, confidence, timeouts, oks,
       CASE WHEN roomy THEN memory END AS memory_bytes, CASE WHEN roomy THEN threshold END AS threshold_bytes,
       CASE WHEN roomy THEN 1.0 * memory / threshold END AS memory_share,
       CASE WHEN answers > 0 THEN MIN(1.0, 1.0 * answers / timeouts) END AS head_share,
       CASE WHEN answers = 0 THEN timeouts END AS no_head,
       CASE WHEN NOT hidden AND (memory IS NULL OR threshold IS NULL) THEN 1 END AS memory_unknown,
       CASE WHEN hidden THEN 1 END AS is_hidden,
       CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place,
       CASE netns WHEN 'host' THEN '' ELSE 'nsenter -t ' || COALESCE(netns_pid, 'PID') || ' -n ' END AS enter
FROM judged JOIN (SELECT netns, netns_pid FROM snmp) USING (netns);
