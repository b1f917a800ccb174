-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       conntrack-race
-- kind       cause
-- explains   conntrack
-- severity   warning
-- title      First packets of one flow race through connection tracking, the later is dropped{place}
-- needs      conntrack.insert_failed
-- param      certain = 0.85
-- param      one_look = 0.6       the growth since boot may be old
-- param      near = 0.95          share of the limit from which the table counts as full
-- evidence   lost packets {lost} entries could not be inserted (insert_failed), their packets were dropped
-- evidence   fill_share ratio the table is filled {fill_share} ({entries} entries): it is not full
-- do         If it is name look-ups (A and AAAA sent at once, answered after 5 s): ask one after the other ||
--            echo 'options single-request-reopen' >> /etc/resolv.conf ||
--            sed -i '/single-request-reopen/d' /etc/resolv.conf
-- do         Or a caching resolver on this host, asked without address translation
-- do         Translation to several targets: let it pick ports at random (--random-fully), kernel 5.0 or later
-- not        A larger table: it is not full
-- not        invalid and search_restart are no drops
-- ruled-out  no two first packets of a flow collided in connection tracking in {seconds}
-- ref        net/netfilter/nf_conntrack_core.c __nf_conntrack_confirm(), nf_ct_resolve_clash()
WITH host AS (SELECT nf_conntrack_max FROM sysctl WHERE netns = 'host')
SELECT netns, insert_failed AS lost, CASE WHEN kind = 'since-boot' THEN :one_look ELSE :certain END AS confidence,
       count_max AS entries, 1.0 * count_max / nf_conntrack_max AS fill_share,
       CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place
FROM conntrack LEFT JOIN host, window
WHERE insert_failed > 0 AND (count_max < :near * nf_conntrack_max OR count_max IS NULL OR nf_conntrack_max IS NULL);
