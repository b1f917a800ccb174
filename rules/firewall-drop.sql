-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       firewall-drop
-- kind       cause
-- explains   netfilter
-- severity   warning
-- title      A firewall rule {verb} datagrams: {rule_text} ({chain})
-- needs      firewall_rule.packets
-- param      certain = 0.85       that the rule takes them; whether somebody wants them, only its owner knows
-- param      rules = 5            the ones that take most
-- evidence   lost packets {lost} packets taken by this rule between the looks
-- evidence   policy - nothing else matched them: it is the policy of the chain
-- against    wanted flag a rule does what somebody wrote: these datagrams may be unwanted
-- do         See what they are, for a while || tcpdump -ni any -c 50 udp
-- do         If they are wanted, let them pass before this rule (nft: udp dport PORT accept) ||
--            iptables -I INPUT -p udp --dport PORT -j ACCEPT || iptables -D INPUT -p udp --dport PORT -j ACCEPT
-- not        Buffers, rings, CPUs: the firewall refuses them by intent
-- ruled-out  no firewall rule for UDP took a packet in {seconds}
-- ref        iptables -vnL, nft list ruleset: counters of rules
SELECT chain, packets AS lost, :certain AS confidence, text AS rule_text, 1 AS wanted,
       CASE action WHEN 'reject' THEN 'refuses' ELSE 'drops' END AS verb, CASE rule WHEN 0 THEN 'policy' END AS policy
FROM firewall_rule, window
WHERE kind <> 'since-boot' AND protocol IN ('udp', 'udplite') AND packets > 0 AND upper(chain) NOT LIKE '%OUTPUT%'
ORDER BY packets DESC LIMIT :rules;
