-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       other-drops
-- kind       note
-- explains   -
-- text       {packets} packets were dropped at {place}{kinds}: not UDP's alone, so not counted as lost datagrams
-- needs      drop_site.packets
-- param      places = 3           the ones that dropped most
-- ref        net/ipv4/udp.c, net/ipv4/ip_input.c, net/netfilter/core.c, net/core/dev.c, net/core/neighbour.c: where
--            they call kfree_skb_reason()
WITH foreign_to_udp(pattern) AS (
    VALUES ('tcp%'), ('unix%'), ('netlink%'), ('packet%'), ('tpacket%'), ('arp%'), ('igmp%'), ('icmp%'), ('sk_stream%')),
meanings(pattern, kinds) AS (
    VALUES ('__udp_\_lib\_rcv', 'no socket at the port, a bad checksum, or a policy; nstat tells which'),
           ('ip\_rcv\_finish%', 'rp_filter, or no route'), ('ip6\_rcv\_finish%', 'no route'),
           ('ip\_rcv%', 'a damaged IP header'), ('ip6\_rcv%', 'a damaged IP header'),
           ('nf\_hook%', 'a firewall rule'), ('NETFILTER%', 'a firewall rule'),
           ('SOCKET\_FILTER', 'a filter at a socket'), ('sk\_filter%', 'a filter at a socket'),
           ('%frag%', 'fragments'), ('FRAG%', 'fragments'), ('DUP\_FRAG', 'fragments'),
           ('neigh%', 'a neighbour that does not answer'), ('NEIGH%', 'a neighbour that does not answer'),
           ('QDISC%', 'a send queue'), ('\_\_dev\_queue\_xmit', 'a send queue'), ('UNHANDLED\_PROTO', 'a protocol that nobody takes'),
           ('\_\_netif\_receive\_skb%', 'a protocol that nobody takes'), ('NO\_SOCKET', 'no socket at the port'))
SELECT packets, TRIM(function || ' ' || reason) AS place,
       COALESCE((SELECT ' (' || kinds || ')' FROM meanings WHERE reason LIKE pattern ESCAPE '\'),
           (SELECT ' (' || kinds || ')' FROM meanings WHERE function LIKE pattern ESCAPE '\'), '') AS kinds
FROM drop_site
WHERE packets > 0 AND reason NOT LIKE 'TCP%' AND NOT EXISTS (SELECT 1 FROM foreign_to_udp WHERE function LIKE pattern)
ORDER BY packets DESC LIMIT :places;
