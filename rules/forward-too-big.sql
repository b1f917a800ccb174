-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       forward-too-big
-- kind       note
-- explains   -
-- text       {refused} packets to be forwarded were too big for the next link (FragFails{place}): path MTU
--            discovery, their senders are told; no loss here unless a firewall drops ICMP
-- needs      snmp.ip_frag_fails|snmp.ip6_frag_fails
-- param      few = 20             packets: every new flow through a narrower link costs some
-- ref        net/ipv4/ip_forward.c, net/ipv6/ip6_output.c ip6_forward(): FragFails (and Ip6InTooBigErrors)
SELECT netns, refused, CASE netns WHEN 'host' THEN '' ELSE ' in namespace ' || netns END AS place
FROM (SELECT netns, CASE WHEN ip_forw_datagrams > 0 OR ip_forward > 0 THEN COALESCE(ip_frag_fails, 0) ELSE 0 END
                    + CASE WHEN ip6_out_forw_datagrams > 0 OR ip6_in_too_big_errors > 0
                      THEN COALESCE(ip6_frag_fails, 0) ELSE 0 END AS refused
      FROM snmp LEFT JOIN (SELECT netns, ip_forward FROM sysctl) USING (netns))
WHERE refused >= :few;
