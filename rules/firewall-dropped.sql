-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       firewall-dropped
-- kind       note
-- explains   -
-- text       Firewall rule {rule_text} ({chain}) took {packets} packets{since}: {what}
-- needs      firewall_rule.packets
-- param      rules = 3            the ones that took most
-- ref        a rule does what somebody wrote; which of its packets were wanted, counters do not tell
SELECT chain, packets, text AS rule_text, CASE kind WHEN 'since-boot' THEN ' since its counters began' ELSE '' END AS since,
       CASE protocol WHEN 'all' THEN 'of all protocols, by intent' ELSE 'by intent' END AS what
FROM firewall_rule, window
WHERE packets > 0 AND protocol IN ('udp', 'udplite', 'all') AND (kind = 'since-boot' OR protocol = 'all')
ORDER BY packets DESC LIMIT :rules;
