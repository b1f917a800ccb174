-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       conntrack-near
-- kind       level
-- explains   -
-- severity   warning
-- unit       ratio
-- text       The connection tracking table{place} is filled {fill_share}: {entries} of {nf_conntrack_max}
--            entries; when it is full, new flows are dropped
-- needs      conntrack.count sysctl.nf_conntrack_max
-- param      warning = 0.8        share of the limit
-- param      critical = 0.95      share of the limit
-- param      bytes_per_entry = 320
-- do         Let it hold {new_max} entries (up to {memory_bytes}) ||
--            sysctl -w net.netfilter.nf_conntrack_max={new_max} ||
--            sysctl -w net.netfilter.nf_conntrack_max={nf_conntrack_max}
-- do         and give it as many hash buckets as a quarter of that ||
--            echo {new_buckets} | tee /sys/module/nf_conntrack/parameters/hashsize ||
--            echo {nf_conntrack_buckets} | tee /sys/module/nf_conntrack/parameters/hashsize
-- ref        net/netfilter/nf_conntrack_core.c: one limit for the host, compared with each namespace's own
--            count
SELECT netns, share AS value, share AS fill_share, entries, nf_conntrack_max, 2 * nf_conntrack_max AS new_max,
       nf_conntrack_max / 2 AS new_buckets,
       nf_conntrack_buckets, 2 * nf_conntrack_max * :bytes_per_entry AS memory_bytes,
       CASE WHEN share >= :critical THEN 'critical' ELSE 'warning' END AS severity,
       CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place
FROM (SELECT netns, count_max AS entries, 1.0 * count_max / nf_conntrack_max AS share, nf_conntrack_max,
    nf_conntrack_buckets
      FROM conntrack, (SELECT nf_conntrack_max, nf_conntrack_buckets FROM sysctl WHERE netns = 'host'))
WHERE share >= :warning AND netns NOT IN (SELECT netns FROM ledger WHERE locus = 'conntrack');
