-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       headroom-conntrack
-- kind       note
-- explains   -
-- text       Connection tracking: {entries} of {nf_conntrack_max} entries at most, {fill_share}
-- needs      conntrack.count sysctl.nf_conntrack_max
-- ref        nf_conntrack_count, nf_conntrack_max
SELECT count_max AS entries, nf_conntrack_max, 1.0 * count_max / nf_conntrack_max AS fill_share
FROM conntrack JOIN sysctl USING (netns)
WHERE netns = 'host' AND count_max IS NOT NULL AND nf_conntrack_max > 0 AND NOT EXISTS (SELECT 1 FROM ledger);
