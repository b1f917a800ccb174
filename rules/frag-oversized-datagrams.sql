-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       frag-oversized-datagrams
-- kind       no-loss
-- explains   reassembly
-- severity   info
-- title      Datagrams larger than the MTU travel in {pieces} fragments{place}
-- needs      snmp.ip_reasm_oks|snmp.ip6_reasm_oks
-- param      certain = 0.8
-- param      few = 100            datagrams in fragments
-- param      share = 0.01         of all datagrams
-- param      example = 0.001      share of lost packets, for example
-- evidence   received datagrams {received} datagrams were received in {received_pieces} fragments each
--            ({family})
-- evidence   sent datagrams {sent} datagrams were sent in {sent_pieces} fragments each ({family})
-- evidence   amplified_share ratio where a path loses {example_share} of its packets, {amplified_share} of
--            these datagrams are lost
-- do         Send at most {unfragmented} bytes a datagram ({family} at an MTU of 1500); 548 over unknown paths
-- do         Or give the whole path an MTU of 9000 (undo with the old one) ||
--            {enter}ip link set dev DEVICE mtu 9000 || {enter}ip link set dev DEVICE mtu 1500
-- ref        1 - (1 - p)^n: one lost fragment loses the whole datagram
WITH RECURSIVE kept(n, share) AS (
    SELECT 0, 1.0 UNION ALL SELECT n + 1, share * (1 - :example) FROM kept WHERE n < 64),
family AS (
    SELECT netns, netns_pid, 'IPv4' AS family, 1472 AS unfragmented, ip_reasm_oks AS received,
           ip_reasm_reqds AS received_fragments,
           ip_frag_oks AS sent, ip_frag_creates AS sent_fragments,
               COALESCE(udp_in_datagrams, 0) + COALESCE(udp_out_datagrams, 0) AS all_datagrams
    FROM snmp
    UNION ALL
    SELECT netns, netns_pid, 'IPv6', 1452, ip6_reasm_oks, ip6_reasm_reqds, ip6_frag_oks, ip6_frag_creates,
           COALESCE(udp6_in_datagrams, 0) + COALESCE(udp6_out_datagrams, 0)
    FROM snmp),
sized AS (
    SELECT *, CAST(ROUND(1.0 * received_fragments / NULLIF(received, 0)) AS INTEGER) AS in_pieces,
           CAST(ROUND(1.0 * sent_fragments / NULLIF(sent, 0)) AS INTEGER) AS out_pieces
    FROM family
    WHERE MAX(COALESCE(received, 0), COALESCE(sent, 0)) >= MAX(:few, :share * all_datagrams))
SELECT netns, family, unfragmented, :certain AS confidence, n AS pieces, NULLIF(received, 0) AS received,
       NULLIF(sent, 0) AS sent, in_pieces AS received_pieces, out_pieces AS sent_pieces, :example AS example_share,
           1 - share AS amplified_share,
       CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place,
       CASE netns WHEN 'host' THEN '' ELSE 'nsenter -t ' || COALESCE(netns_pid, 'PID') || ' -n ' END AS enter
FROM sized JOIN kept ON n = MIN(64, MAX(2, COALESCE(in_pieces, 0), COALESCE(out_pieces, 0)));
