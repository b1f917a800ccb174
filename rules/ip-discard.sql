-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       ip-discard
-- kind       cause
-- explains   ip-input
-- severity   warning
-- title      The kernel discards received packets{place}
-- needs      snmp.ip_in_discards|snmp.ip6_in_discards
-- param      certain = 0.6        packets of all protocols are counted
-- param      one_look = 0.4       the growth since boot may be old
-- param      few = 20             packets: fewer are strays
-- param      share = 0.01         of all packets, from which it is worth naming; the ledger takes the same
-- param      unknown = 1000    packets from which it is worth naming where nobody knows of how many
-- param      rate = 50            packets a second that are worth naming whatever their share
-- evidence   ipv4 packets {ipv4} IPv4 packets, {ipv4_share} of all that arrived (IpInDiscards: no memory for
--            them)
-- evidence   ipv6 packets {ipv6} IPv6 packets, {ipv6_share} of all that arrived (Ip6InDiscards: also where
--            IPv6 is off on the device)
-- do         IPv6: see where it is off (1) || {enter}grep . /proc/sys/net/ipv6/conf/*/disable_ipv6
-- do         Otherwise memory is short in the receive path: look for its messages ||
--            dmesg | grep -iE "page allocation failure|out of memory"
-- not        Where hardly any IPv6 is delivered it is switched off, and its chatter no loss: not counted here
-- not        A bigger socket buffer: it takes more of the same memory
-- ruled-out  no discarded packets worth naming in {seconds}
-- ref        net/ipv4/ip_input.c, net/ipv6/ip6_input.c
SELECT netns, COALESCE(ipv4, 0) + COALESCE(ipv6, 0) AS lost, ipv4, ipv6, 1.0 * ipv4 / total AS ipv4_share,
       1.0 * ipv6 / total AS ipv6_share, CASE WHEN kind = 'since-boot' THEN :one_look ELSE :certain END AS confidence,
       place, enter
FROM (SELECT netns, total, place, enter, CASE WHEN ipv4 >= floor THEN ipv4 END AS ipv4,
             CASE WHEN ipv6 >= floor THEN ipv6 END AS ipv6
      FROM (SELECT *, MAX(:few, MIN(COALESCE(:share * total, :unknown),
                COALESCE(:rate * rated_s, :share * total, :unknown))) AS floor
            FROM ip_input WHERE cause = 'ip-discard')), window
WHERE ipv4 IS NOT NULL OR ipv6 IS NOT NULL;
