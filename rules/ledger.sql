-- SPDX-License-Identifier: GPL-2.0-or-later
-- # The ledger: where datagrams were lost, each at one place. Path order, send side last. A counter that other
-- # traffic moves too counts only above a floor, so that strays are no loss (a thousand, where nobody knows of how
-- # many); the rules of that place use the same floor.

-- # Adapters report one loss under several names (igb: missed and fifo), by driver in rtnetlink, in ethtool or
-- # in both: the larger one holds. Stacked devices (bond, bridge, VLAN) repeat what their ports count.
-- locus nic
-- direction receive
-- from link
-- counters rx_missed_errors rx_crc_errors rx_length_errors rx_frame_errors
-- beside rx_fifo_errors rx_over_errors rx_frame_unsplit
SELECT netns, SUM(MAX(COALESCE(l.rx_missed_errors, 0), COALESCE(l.rx_fifo_errors, 0), COALESCE(l.rx_over_errors, 0),
       COALESCE(n.ring_drops, 0)) + COALESCE(n.driver_drops, 0) + COALESCE(n.phy_drops, 0)
       + COALESCE(n.provider_limit_drops, 0) + MAX(COALESCE(n.bad_frames, 0),
       COALESCE(l.rx_crc_errors + COALESCE(l.rx_length_errors, 0) + COALESCE(l.rx_frame_errors, 0),
       l.rx_frame_unsplit, 0))) AS datagrams
FROM (SELECT netns, interface FROM link WHERE kind = ''
      UNION SELECT netns, interface FROM nic)
LEFT JOIN link l USING (netns, interface) LEFT JOIN nic n USING (netns, interface)
GROUP BY netns;

-- locus xdp
-- direction receive
-- from nic
-- counters xdp_drops

-- # clsact also counts what its egress filters drop; those senders see SndbufErrors, taken off there.
-- locus tc-ingress
-- direction receive
-- from qdisc
-- where kind IN ('ingress', 'clsact')
-- counters drops

-- locus backlog
-- direction receive
-- from softnet
-- counters dropped
-- beside flow_limit_count time_squeeze

-- # All protocols. Packets for other hosts and unroutable ones belong to every network: a share of 1 % counts.
-- locus ip-input
-- direction receive
-- estimated yes
-- past no
-- from snmp
-- counters ip_in_hdr_errors ip_in_addr_errors ip_in_discards ip_ext_in_no_routes
--          ip_ext_in_truncated_pkts ip6_in_hdr_errors ip6_in_addr_errors ip6_in_discards
--          ip6_in_no_routes ip6_in_truncated_pkts
-- when EXISTS (SELECT 1 FROM snmp WHERE ip_in_hdr_errors > 0 OR ip_in_addr_errors > 0 OR ip_in_discards > 0
--         OR ip_ext_in_no_routes > 0 OR ip_ext_in_truncated_pkts > 0 OR ip6_in_hdr_errors > 0 OR ip6_in_addr_errors > 0
--         OR ip6_in_discards > 0 OR ip6_in_no_routes > 0 OR ip6_in_truncated_pkts > 0)
SELECT netns,
       CAST(TOTAL(CASE WHEN ip_in_hdr_errors >= floor THEN ip_in_hdr_errors END)
           + TOTAL(CASE WHEN ip6_in_hdr_errors >= floor THEN ip6_in_hdr_errors END)
           + TOTAL(CASE WHEN ip_in_addr_errors >= floor THEN ip_in_addr_errors END)
           + TOTAL(CASE WHEN ip6_in_addr_errors >= floor THEN ip6_in_addr_errors END)
           + TOTAL(CASE WHEN ip_ext_in_no_routes >= floor THEN ip_ext_in_no_routes END)
           + TOTAL(CASE WHEN ip6_in_no_routes >= floor THEN ip6_in_no_routes END)
           + TOTAL(CASE WHEN ip_ext_in_truncated_pkts >= floor THEN ip_ext_in_truncated_pkts END)
           + TOTAL(CASE WHEN ip6_in_truncated_pkts >= floor THEN ip6_in_truncated_pkts END)
           + TOTAL(CASE WHEN ip_in_discards >= floor THEN ip_in_discards END)
           + TOTAL(CASE WHEN ip6_in_discards >= floor AND ip6_in_delivers >= ip6_in_discards
           THEN ip6_in_discards END) AS INTEGER) AS datagrams
FROM (SELECT *, MAX(20, MIN(COALESCE(0.01 * total, 1000), CASE WHEN window.kind = 'since-boot' OR seconds = 0
                                          THEN COALESCE(0.01 * total, 1000)
                                          ELSE 50 * seconds END)) AS floor
      FROM (SELECT *, COALESCE(ip_in_receives + COALESCE(ip6_in_receives, 0), ip6_in_receives) AS total FROM snmp),
          window)
GROUP BY netns;

-- # All protocols; scans with forged sources are noise.
-- locus rp-filter
-- direction receive
-- past no
-- from snmp
-- counters tcp_ext_ip_reverse_path_filter
SELECT netns, tcp_ext_ip_reverse_path_filter AS datagrams
FROM snmp, window
WHERE tcp_ext_ip_reverse_path_filter >= MAX(10, MIN(COALESCE(0.001 * ip_in_receives, 1000),
        CASE WHEN window.kind = 'since-boot' OR seconds = 0 THEN COALESCE(0.001 * ip_in_receives, 1000)
                                             ELSE 5 * seconds END));

-- # What rules for UDP took between two looks; of counters that began long ago nobody knows what was wanted.
-- locus netfilter
-- direction receive
-- past no
-- from firewall_rule
-- where protocol IN ('udp', 'udplite') AND upper(chain) NOT LIKE '%OUTPUT%'
-- counters packets
SELECT NULL AS netns, SUM(packets) AS datagrams FROM firewall_rule, window
WHERE kind <> 'since-boot' AND protocol IN ('udp', 'udplite') AND upper(chain) NOT LIKE '%OUTPUT%';

-- # A clash of two first packets counts in insert_failed and in drop, in older kernels in one of them only.
-- locus conntrack
-- direction receive
-- from conntrack
-- counters drop
-- beside insert_failed early_drop
SELECT netns, MAX(COALESCE("drop", 0), COALESCE(insert_failed, 0)) AS datagrams FROM conntrack;

-- # ReasmFails mixes refused fragments and lost datagrams. A timeout or an overlap is one datagram each;
-- # refused fragments (Fails - Timeout - Overlaps) are divided by the pieces of a datagram; where memory is
-- # not the limit, each refusal but the last starts the same datagram anew. No more are lost than Reqds /
-- # pieces - OKs, where that is more than timed out. A few timeouts that each held one fragment of many are
-- # late duplicates of delivered datagrams.
-- locus reassembly
-- direction receive
-- estimated yes
-- from snmp
-- counters ip_reasm_fails ip6_reasm_fails
-- beside ip_reasm_timeout ip_reasm_reqds ip_reasm_oks ip_ext_reasm_overlaps
--          ip6_reasm_timeout ip6_reasm_reqds ip6_reasm_oks
-- when EXISTS (SELECT 1 FROM snmp WHERE ip_reasm_fails > 0 OR ip6_reasm_fails > 0)
WITH family AS (
    SELECT s.netns, s.ip_reasm_fails AS fails, s.ip_reasm_timeout AS timeouts,
           COALESCE(s.ip_ext_reasm_overlaps, 0) AS overlaps, s.ip_reasm_oks AS oks, s.ip_reasm_reqds AS reqds,
           t.ip_reasm_reqds AS total_reqds, t.ip_reasm_oks AS total_oks, t.ip_reasm_fails AS total_fails,
           (SELECT 1.0 * SUM(ip_frag_creates) / SUM(ip_frag_oks) FROM snmp
            HAVING SUM(ip_frag_creates) > 0.5 * s.ip_reasm_reqds) AS sent_pieces,
           k.frag_memory_bytes_max AS memory, y.ipfrag_high_thresh_bytes AS threshold
    FROM snmp s LEFT JOIN snmp_total t USING (netns) LEFT JOIN sockstat k USING (netns)
    LEFT JOIN sysctl y USING (netns)
    UNION ALL
    SELECT s.netns, s.ip6_reasm_fails, s.ip6_reasm_timeout, 0, s.ip6_reasm_oks, s.ip6_reasm_reqds,
           t.ip6_reasm_reqds, t.ip6_reasm_oks, t.ip6_reasm_fails,
           (SELECT 1.0 * SUM(ip6_frag_creates) / SUM(ip6_frag_oks) FROM snmp
            HAVING SUM(ip6_frag_creates) > 0.5 * s.ip6_reasm_reqds),
           k.frag6_memory_bytes_max, y.ip6frag_high_thresh_bytes
    FROM snmp s LEFT JOIN snmp_total t USING (netns) LEFT JOIN sockstat k USING (netns)
    LEFT JOIN sysctl y USING (netns)),
divided AS (
    SELECT *, MAX(0, fails - COALESCE(timeouts, 0) - overlaps) AS refused,
           COALESCE(memory < 0.5 * threshold AND kind <> 'since-boot', 0) AS roomy,
           MAX(2, MIN(45, COALESCE(
               CASE WHEN total_fails < 0.1 * total_reqds THEN ROUND(1.0 * total_reqds / NULLIF(total_oks, 0)) END,
               ROUND(sent_pieces),
               ROUND(1.0 * (reqds - MAX(0, fails - COALESCE(timeouts, 0) - overlaps)) / NULLIF(oks, 0)),
                   2))) AS pieces
    FROM family, window
    WHERE fails > 0 AND (fails >= 0.001 * oks OR oks IS NULL))
SELECT netns, CAST(SUM(MIN(fails, CASE
            WHEN timeouts IS NULL THEN fails / 2
            WHEN refused = 0 AND fails <= 0.01 * oks AND reqds >= 2.5 * oks
                AND reqds - ROUND(1.0 * reqds / oks) * oks < 1.5 * timeouts THEN 0
            ELSE MIN(MAX(timeouts, overlaps)
                     + CASE WHEN roomy THEN MAX(0, refused / (pieces - 1) - MAX(timeouts, overlaps))
                            ELSE refused / pieces END,
                     MAX(timeouts, overlaps, COALESCE(reqds / pieces - oks, fails))) END)) AS INTEGER) AS datagrams
FROM divided
GROUP BY netns;

-- # Strays and scans are no loss: a port counts as dead when the sender is this host (every datagram is answered by one
-- # ICMP message, which this host also receives), when datagrams keep coming at a rate and share that scans do not have, or
-- # when they begin to come just as a socket that was looked at is gone.
-- locus no-listener
-- direction receive
-- past no
-- from snmp
-- counters udp_no_ports udp6_no_ports udplite_no_ports udplite6_no_ports
-- beside icmp_out_dest_unreachs icmp_in_dest_unreachs icmp6_out_dest_unreachs icmp6_in_dest_unreachs
-- when EXISTS (SELECT 1 FROM snmp WHERE udp_no_ports > 0 OR udp6_no_ports > 0 OR udplite_no_ports > 0
--         OR udplite6_no_ports > 0)
WITH refused AS (
    SELECT netns, TOTAL(udp_no_ports) + TOTAL(udp6_no_ports)
            + TOTAL(udplite_no_ports) + TOTAL(udplite6_no_ports) AS n,
           TOTAL(icmp_out_dest_unreachs) + TOTAL(icmp6_out_dest_unreachs) AS answers,
           TOTAL(icmp_in_dest_unreachs) + TOTAL(icmp6_in_dest_unreachs) AS answered,
           TOTAL(udp_in_datagrams) + TOTAL(udp6_in_datagrams) AS delivered
    FROM snmp GROUP BY netns),
active AS (
    SELECT netns, SUM(seconds) AS active_seconds
    FROM (SELECT 1 FROM refused WHERE n >= 20 LIMIT 1) CROSS JOIN snmp_step
    WHERE netns IN (SELECT netns FROM refused WHERE n >= 20) AND COALESCE(udp_no_ports, 0) + COALESCE(udp6_no_ports,
        0)
        + COALESCE(udplite_no_ports, 0) + COALESCE(udplite6_no_ports, 0) > 0
    GROUP BY netns),
left_at AS ( -- sockets that were seen, and then no more
    SELECT netns, port, MAX(step) AS left_step FROM socket_step GROUP BY netns, port
    HAVING MAX(step) <= (SELECT MAX(step) FROM step) - 3),
orphaned AS (
    SELECT netns, port, TOTAL(CASE WHEN step <= left_step THEN n END) / (left_step - (SELECT MIN(step) FROM step) + 1.0) AS before,
           TOTAL(CASE WHEN step > left_step THEN n END) / ((SELECT MAX(step) FROM step) - left_step) AS after,
           MIN(CASE WHEN step > left_step AND n > 0 THEN step END) - left_step AS gap
    FROM left_at JOIN (SELECT netns, step, COALESCE(udp_no_ports, 0) + COALESCE(udp6_no_ports, 0)
        + COALESCE(udplite_no_ports, 0) + COALESCE(udplite6_no_ports, 0) AS n FROM snmp_step) USING (netns)
    GROUP BY netns, port, left_step)
SELECT netns, CAST(n AS INTEGER) AS datagrams
FROM refused JOIN active USING (netns), window
WHERE (n >= 20 AND n >= 0.001 * (n + delivered)
        AND answers BETWEEN 0.9 * n AND 1.5 * n AND answered BETWEEN 0.9 * n AND 1.5 * n)
   OR (kind <> 'since-boot' AND n >= 50 AND active_seconds > 0 AND n >= 20 * active_seconds AND n >= 0.002 * (n + delivered))
   OR (kind <> 'since-boot' AND n >= 20
        AND netns IN (SELECT netns FROM orphaned WHERE gap <= 3 AND after >= 5 * before + 1));

-- locus checksum
-- direction receive
-- from snmp
-- counters udp_in_csum_errors udp6_in_csum_errors udplite_in_csum_errors udplite6_in_csum_errors

-- # What a socket itself refuses: its filter, that of its control group, IPsec policy. Each counts at the socket and in
-- # InErrors, and in none of the parts of InErrors that have a name: so it is where drops exceed these, on sockets with a
-- # filter, or, where that cannot be seen, whose queue is never nearly full.
-- locus socket-filter
-- direction receive
-- past no
-- from socket
-- where COALESCE(has_filter, queue_peak_bytes_max < 0.5 * rcvbuf_bytes, 0)
-- counters drops
WITH counted AS (
    SELECT netns, TOTAL(udp_in_errors) + TOTAL(udp6_in_errors) + TOTAL(udplite_in_errors)
               + TOTAL(udplite6_in_errors) AS errors,
           TOTAL(udp_rcvbuf_errors) + TOTAL(udp6_rcvbuf_errors) + TOTAL(udplite_rcvbuf_errors)
               + TOTAL(udplite6_rcvbuf_errors) + TOTAL(udp_mem_errors) + TOTAL(udp6_mem_errors)
               + TOTAL(udplite_mem_errors) + TOTAL(udplite6_mem_errors) AS named,
           TOTAL(udp_in_csum_errors) + TOTAL(udp6_in_csum_errors) + TOTAL(udplite_in_csum_errors)
               + TOTAL(udplite6_in_csum_errors) AS csum
    FROM snmp GROUP BY netns),
dropped AS (
    SELECT netns, TOTAL(drops) AS drops,
           TOTAL(CASE WHEN COALESCE(has_filter, queue_peak_bytes_max < 0.5 * rcvbuf_bytes, 0) THEN drops END) AS filtered
    FROM socket GROUP BY netns),
refused AS (
    SELECT netns, drops, CAST(MIN(filtered, drops - named, errors - named - csum) AS INTEGER) AS datagrams
    FROM counted JOIN dropped USING (netns))
SELECT netns, datagrams FROM refused WHERE datagrams > 0.01 * drops;

-- # What is left of InErrors where this kernel names all the other parts of it. The counters are added up
-- # while they move: a thousandth of them is no residue. What sockets refused is not malformed.
-- locus malformed
-- direction receive
-- past no
-- from snmp
-- counters udp_in_errors -udp_rcvbuf_errors -udp_in_csum_errors -udp_mem_errors
--          udp6_in_errors -udp6_rcvbuf_errors -udp6_in_csum_errors -udp6_mem_errors
--          udplite_in_errors -udplite_rcvbuf_errors -udplite_in_csum_errors -udplite_mem_errors
--          udplite6_in_errors -udplite6_rcvbuf_errors -udplite6_in_csum_errors -udplite6_mem_errors
SELECT netns, SUM(residue) - COALESCE((SELECT SUM(datagrams) FROM ledger l
       WHERE l.locus = 'socket-filter' AND l.netns = parts.netns), 0) AS datagrams FROM (
    SELECT netns, udp_in_errors AS errors,
           udp_in_errors - udp_rcvbuf_errors - udp_in_csum_errors - udp_mem_errors AS residue FROM snmp
    UNION ALL SELECT netns, udp6_in_errors,
           udp6_in_errors - udp6_rcvbuf_errors - udp6_in_csum_errors - udp6_mem_errors FROM snmp
    UNION ALL SELECT netns, udplite_in_errors, udplite_in_errors - udplite_rcvbuf_errors
           - udplite_in_csum_errors - udplite_mem_errors FROM snmp
    UNION ALL SELECT netns, udplite6_in_errors, udplite6_in_errors - udplite6_rcvbuf_errors
           - udplite6_in_csum_errors - udplite6_mem_errors FROM snmp) parts
WHERE residue > 0.001 * errors
GROUP BY netns;

-- # Not counted by 6.18.
-- locus udp-memory
-- direction receive
-- from snmp
-- counters udp_mem_errors udp6_mem_errors udplite_mem_errors udplite6_mem_errors

-- # So there it is what the sockets dropped beyond all that has a counter, where memory was at a limit, of the host
-- # (udp_mem, of which the first number holds) or of a control group, or where it goes on.
-- locus udp-memory
-- direction receive
-- past no
-- from socket
-- counters drops
-- when EXISTS (SELECT 1 FROM socket WHERE drops > 0)
WITH counted AS (
    SELECT netns, step, COALESCE(udp_rcvbuf_errors, 0) + COALESCE(udp6_rcvbuf_errors, 0) + COALESCE(udplite_rcvbuf_errors, 0)
           + COALESCE(udplite6_rcvbuf_errors, 0) + COALESCE(udp_mem_errors, 0) + COALESCE(udp6_mem_errors, 0)
           + COALESCE(udplite_mem_errors, 0) + COALESCE(udplite6_mem_errors, 0) + COALESCE(udp_in_csum_errors, 0)
           + COALESCE(udp6_in_csum_errors, 0) + COALESCE(udplite_in_csum_errors, 0)
           + COALESCE(udplite6_in_csum_errors, 0) AS named
    FROM snmp_step),
dropped AS (
    SELECT netns, step, SUM(drops) AS drops
    FROM (SELECT 1 FROM socket WHERE drops > 0 LIMIT 1) CROSS JOIN socket_step WHERE drops > 0 GROUP BY step, netns),
steps AS (
    SELECT d.netns, drops, drops - COALESCE(named, 0) AS beyond
    FROM dropped d LEFT JOIN counted c ON c.netns = d.netns AND c.step = d.step
    WHERE d.netns IN (SELECT netns FROM snmp WHERE COALESCE(udp_rcvbuf_errors, udp6_rcvbuf_errors) IS NOT NULL)),
beyond AS (
    SELECT s.netns, SUM(drops) AS drops, SUM(beyond > 0.1 * drops) AS beyond_steps,
           SUM(drops) - (SELECT TOTAL(named) FROM counted c WHERE c.netns = s.netns) - (SELECT TOTAL(datagrams)
               FROM ledger l WHERE l.locus = 'socket-filter' AND l.netns = s.netns) AS datagrams
    FROM steps s GROUP BY s.netns),
lowest AS ( -- a limit may have been raised since
    SELECT MIN(pages) AS pages FROM (
        SELECT udp_mem_min_pages AS pages FROM sysctl WHERE netns = 'host'
        UNION ALL SELECT udp_mem_min_pages FROM sysctl_step WHERE netns = 'host')),
limits AS (
    SELECT EXISTS (SELECT 1 FROM sockstat, lowest WHERE netns = 'host' AND udp_mem_pages_max >= 0.9 * pages)
        OR EXISTS (SELECT 1 FROM cgroup_step
                   WHERE memory_max_events > 0 OR memory_current_bytes >= 0.95 * memory_max_bytes
                       OR socket_memory_peak_bytes >= 0.95 * socket_memory_max_bytes) AS reached)
SELECT netns, CAST(datagrams AS INTEGER) AS datagrams FROM beyond, limits
WHERE datagrams > 0.01 * drops AND (reached OR (datagrams > 0.05 * drops AND beyond_steps >= 3));

-- locus socket-queue
-- direction receive
-- from snmp
-- counters udp_rcvbuf_errors udp6_rcvbuf_errors udplite_rcvbuf_errors udplite6_rcvbuf_errors

-- # Where nothing counts for the namespace, as in a list of sockets that somebody pasted, it is what the sockets
-- # themselves count. What filters, memory limits and checksums refused is among it, and cannot be told apart. Outputs that
-- # were taken one after the other tell of different times: sockets that dropped while the host counts no error at all.
-- locus socket-queue
-- direction receive
-- estimated yes
-- past no
-- from socket
-- counters drops
SELECT netns, SUM(drops) AS datagrams FROM socket, window
WHERE drops > 0 AND netns NOT IN (SELECT netns FROM snmp WHERE COALESCE(udp_rcvbuf_errors, udp6_rcvbuf_errors,
        udp_in_errors, udp6_in_errors) IS NOT NULL
    AND (kind <> 'capture' OR COALESCE(udp_rcvbuf_errors, 0) + COALESCE(udp6_rcvbuf_errors, 0)
        + COALESCE(udp_in_errors, 0) + COALESCE(udp6_in_errors, 0) > 0))
    AND NOT EXISTS (SELECT 1 FROM ledger l WHERE l.netns = socket.netns AND l.locus IN ('socket-filter', 'udp-memory'))
GROUP BY netns;

-- # InErrors without a name, where this kernel lacks one of the columns that could give it.
-- locus unexplained
-- direction receive
-- from snmp
-- counters udp_in_errors -udp_rcvbuf_errors -udp_in_csum_errors -udp_mem_errors
--          udp6_in_errors -udp6_rcvbuf_errors -udp6_in_csum_errors -udp6_mem_errors
SELECT netns, SUM(residue) AS datagrams FROM (
    SELECT netns, udp_in_errors AS errors, udp_in_errors - COALESCE(udp_rcvbuf_errors, 0)
           - COALESCE(udp_in_csum_errors, 0) - COALESCE(udp_mem_errors, 0) AS residue FROM snmp
    WHERE udp_rcvbuf_errors IS NULL OR udp_in_csum_errors IS NULL OR udp_mem_errors IS NULL
    UNION ALL SELECT netns, udp6_in_errors, udp6_in_errors - COALESCE(udp6_rcvbuf_errors, 0)
           - COALESCE(udp6_in_csum_errors, 0) - COALESCE(udp6_mem_errors, 0) FROM snmp
    WHERE udp6_rcvbuf_errors IS NULL OR udp6_in_csum_errors IS NULL OR udp6_mem_errors IS NULL)
WHERE residue > 0.001 * errors
GROUP BY netns;

-- # SndbufErrors also counts what a queueing discipline, a tc filter or the backlog behind a veth pair
-- # refused: those are counted there. The backlog's count is the host's; it is shared out by what the senders
-- # saw.
-- locus send-buffer
-- direction send
-- from snmp
-- counters udp_sndbuf_errors udp6_sndbuf_errors udplite_sndbuf_errors udplite6_sndbuf_errors
WITH seen AS (
    SELECT netns, TOTAL(udp_sndbuf_errors) + TOTAL(udp6_sndbuf_errors)
                + TOTAL(udplite_sndbuf_errors) + TOTAL(udplite6_sndbuf_errors)
                - (SELECT TOTAL(drops) FROM qdisc q WHERE q.netns = s.netns AND leaf AND kind <> 'ingress') AS n
    FROM snmp s GROUP BY netns),
behind_veth AS (
    SELECT netns, n FROM seen
    WHERE n > 0 AND (netns <> 'host' OR EXISTS (SELECT 1 FROM link WHERE kind = 'veth'))),
shared AS (
    SELECT MIN(1.0, (SELECT TOTAL(dropped) FROM softnet) / SUM(n)) AS part FROM behind_veth)
SELECT netns, CAST(ROUND(n - CASE WHEN v.n IS NULL THEN 0 ELSE n * part END) AS INTEGER) AS datagrams
FROM seen LEFT JOIN behind_veth v USING (netns, n), shared
WHERE n > 0;

-- # Other protocols are dropped here too, TCP above all: of a queue that tells its senders the datagrams are
-- # what they saw (SndbufErrors); of one that does not (fq_codel), UDP's share of what was sent.
-- locus qdisc
-- direction send
-- from qdisc
-- where leaf AND kind NOT IN ('ingress', 'clsact')
-- counters drops
SELECT q.netns, CAST(MIN(drops,
       MAX(COALESCE(seen, 0), COALESCE(ROUND(drops * MIN(1.0, 1.0 * udp / NULLIF(sent, 0))), drops))) AS INTEGER)
       AS datagrams
FROM (SELECT netns, SUM(drops) AS drops FROM qdisc
      WHERE leaf AND kind NOT IN ('ingress', 'clsact') GROUP BY netns) q
LEFT JOIN (SELECT netns, TOTAL(udp_sndbuf_errors) + TOTAL(udp6_sndbuf_errors) AS seen,
                  TOTAL(udp_out_datagrams) + TOTAL(udp6_out_datagrams)
                  + TOTAL(udp_sndbuf_errors) + TOTAL(udp6_sndbuf_errors) AS udp,
                  ip_out_requests + ip6_out_requests AS sent
           FROM snmp GROUP BY netns) s USING (netns);

-- # All protocols; a few are strays.
-- locus send-route
-- direction send
-- past no
-- from snmp
-- counters ip_out_no_routes ip6_out_no_routes
SELECT netns, n AS datagrams
FROM (SELECT netns, COALESCE(ip_out_no_routes, 0) + COALESCE(ip6_out_no_routes, 0) AS n,
             COALESCE(ip_out_requests + COALESCE(ip6_out_requests, 0), ip6_out_requests) AS sent FROM snmp), window
WHERE n >= MAX(20, MIN(COALESCE(0.01 * sent, 1000), CASE WHEN kind = 'since-boot' OR seconds = 0 THEN COALESCE(0.01 * sent, 1000)
                                            ELSE 50 * seconds END));

-- # A datagram that lost a fragment on its way out also counts in SndbufErrors, and is counted there. What a
-- # router may not fragment counts too: mostly TCP that finds its path's MTU, and the sender is told. Where
-- # packets are forwarded nothing tells the two apart, so none of it is called loss (note forward-too-big).
-- locus send-fragment
-- direction send
-- past no
-- from snmp
-- counters ip_frag_fails ip6_frag_fails
-- beside ip_forw_datagrams ip6_out_forw_datagrams
SELECT netns, datagrams
FROM (SELECT netns, CASE WHEN COALESCE(ip_forw_datagrams, 0) = 0 AND COALESCE(ip_forward, 0) = 0
                    THEN MAX(0, COALESCE(ip_frag_fails, 0) - COALESCE(udp_sndbuf_errors, 0)) ELSE 0 END
             + CASE WHEN COALESCE(ip6_out_forw_datagrams, 0) = 0 AND COALESCE(ip6_in_too_big_errors, 0) = 0
               THEN MAX(0, COALESCE(ip6_frag_fails, 0) - COALESCE(udp6_sndbuf_errors, 0)) ELSE 0 END AS datagrams
      FROM snmp LEFT JOIN (SELECT netns, ip_forward FROM sysctl) USING (netns))
WHERE datagrams > 0;

-- # A tunnel drops what it has no destination for; some multicast chatter of its own is always among it.
-- locus neighbour
-- direction send
-- past no
-- from link
-- where kind IN ('vxlan', 'geneve', 'gre', 'gretap', 'ip6gre', 'ip6gretap', 'erspan', 'ipip', 'sit', 'ip6tnl',
--          'wireguard', 'bareudp', 'gtp')
-- counters tx_dropped
SELECT netns, SUM(tx_dropped) AS datagrams
FROM link, window
WHERE link.kind IN ('vxlan', 'geneve', 'gre', 'gretap', 'ip6gre', 'ip6gretap', 'erspan', 'ipip', 'sit', 'ip6tnl',
    'wireguard', 'bareudp', 'gtp')
    AND tx_dropped >= MAX(20, MIN(0.01 * COALESCE(tx_packets, 0), COALESCE(NULLIF(seconds, 0), 0.01 * tx_packets, 0)))
GROUP BY netns;

-- # OutDiscards without SndbufErrors: refused by netfilter or a cgroup program, the sender got EPERM. UDP,
-- # ICMP and raw sockets.
-- locus send-filter
-- direction send
-- estimated yes
-- past no
-- from snmp
-- counters ip_out_discards -udp_sndbuf_errors -udplite_sndbuf_errors
--          ip6_out_discards -udp6_sndbuf_errors -udplite6_sndbuf_errors
SELECT netns, n AS datagrams
FROM (SELECT netns, MAX(0,
    COALESCE(ip_out_discards, 0) - COALESCE(udplite_sndbuf_errors, 0) - MAX(COALESCE(udp_sndbuf_errors, 0),
        COALESCE(ip_frag_fails, 0)))
                  + MAX(0, COALESCE(ip6_out_discards, 0) - COALESCE(udplite6_sndbuf_errors, 0)
                      - MAX(COALESCE(udp6_sndbuf_errors, 0), COALESCE(ip6_frag_fails, 0))) AS n,
             COALESCE(ip_out_requests + COALESCE(ip6_out_requests, 0), ip6_out_requests) AS sent FROM snmp), window
WHERE n >= MAX(20, MIN(COALESCE(0.01 * sent, 1000), CASE WHEN kind = 'since-boot' OR seconds = 0 THEN COALESCE(0.01 * sent, 1000)
                                            ELSE 50 * seconds END));

-- # Not lo, not veth (the backlog behind it counts), not what stands on other devices.
-- locus tx-driver
-- direction send
-- from link
-- where kind IN ('', 'tun') AND interface <> 'lo'
-- counters tx_dropped
SELECT netns, SUM(MAX(COALESCE(l.tx_dropped, 0), COALESCE(n.tx_drops, 0))) AS datagrams
FROM (SELECT netns, interface FROM link WHERE kind IN ('', 'tun') AND interface <> 'lo'
      UNION SELECT netns, interface FROM nic)
LEFT JOIN link l USING (netns, interface) LEFT JOIN nic n USING (netns, interface)
GROUP BY netns;
