-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       frag-overlap
-- kind       cause
-- explains   reassembly
-- severity   warning
-- title      Overlapping fragments destroy datagrams{place}
-- needs      snmp.ip_ext_reasm_overlaps
-- param      certain = 0.8
-- param      ids = 65536          IP identifications: a sender that uses them up within ipfrag_time mixes its
--            datagrams
-- evidence   overlaps fragments {overlaps} fragments overlapped others of their datagram, which was thrown away
-- evidence   wrap_rate datagrams/s {datagram_rate} datagrams in fragments arrive; from {wrap_rate} of one
--            sender on identifications repeat within ipfrag_time
-- against    slow_rate datagrams/s {slow_rate} datagrams in fragments arrive, too few for identifications to
--            repeat: duplicates, or somebody forges them
-- do         Forget incomplete datagrams before identifications repeat ||
--            {enter}sysctl -w net.ipv4.ipfrag_time={new_time} ||
--            {enter}sysctl -w net.ipv4.ipfrag_time={ipfrag_time_s}
-- do         See who sends them || {enter}tcpdump -vni any -c 200 'ip[6:2] & 0x3fff != 0'
-- do         Best: datagrams that need no fragments: at most 1472 bytes at an MTU of 1500
-- not        A higher ipfrag_high_thresh: memory is not what these failures are about
-- ruled-out  no fragments overlapped in {seconds}
-- ref        net/ipv4/inet_fragment.c inet_frag_queue_insert(); RFC 4963 for repeating identifications
WITH rate AS (
    SELECT netns, MAX((COALESCE(ip_reasm_oks, 0) + COALESCE(ip_reasm_timeout, 0)) / seconds) AS datagram_rate
           FROM snmp_step GROUP BY netns)
SELECT netns, MIN(ip_ext_reasm_overlaps, datagrams) AS lost, :certain AS confidence,
       ip_ext_reasm_overlaps AS overlaps,
       CASE WHEN kind <> 'since-boot' AND datagram_rate * ipfrag_time_s >= :ids
           THEN 1.0 * :ids / ipfrag_time_s END AS wrap_rate, datagram_rate,
       CASE WHEN kind <> 'since-boot' AND datagram_rate * ipfrag_time_s < :ids THEN datagram_rate END AS slow_rate,
       CASE WHEN kind <> 'since-boot' AND datagram_rate * ipfrag_time_s >= :ids
           THEN MAX(1, CAST(:ids / datagram_rate AS INTEGER)) END AS new_time,
       ipfrag_time_s,
       CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place,
       CASE netns WHEN 'host' THEN '' ELSE 'nsenter -t ' || COALESCE(netns_pid, 'PID') || ' -n ' END AS enter
FROM snmp JOIN ledger USING (netns) LEFT JOIN rate USING (netns) LEFT JOIN (SELECT netns, ipfrag_time_s
    FROM sysctl) USING (netns), window
WHERE locus = 'reassembly' AND ip_ext_reasm_overlaps > 0;
