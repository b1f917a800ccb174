-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       headroom-reassembly
-- kind       note
-- explains   -
-- text       Reassembly: incomplete {family} datagrams held {memory_bytes} of {threshold_bytes} at most, {oks}
--            were completed
-- needs      sockstat.frag_memory_bytes sysctl.ipfrag_high_thresh_bytes
-- ref        sockstat FRAG memory, ipfrag_high_thresh
WITH family AS (
    SELECT netns, 'IPv4' AS family, frag_memory_bytes_max AS memory_bytes,
           ipfrag_high_thresh_bytes AS threshold_bytes, ip_reasm_oks AS oks
    FROM sockstat JOIN sysctl USING (netns) JOIN snmp USING (netns)
    UNION ALL SELECT netns, 'IPv6', frag6_memory_bytes_max, ip6frag_high_thresh_bytes, ip6_reasm_oks
    FROM sockstat JOIN sysctl USING (netns) JOIN snmp USING (netns))
SELECT family, memory_bytes, threshold_bytes, oks
FROM family
WHERE netns = 'host' AND oks > 0 AND NOT EXISTS (SELECT 1 FROM ledger);
