-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       tx-driver
-- kind       cause
-- explains   tx-driver
-- severity   warning
-- title      The driver of {adapter} drops packets on the way out
-- needs      link.tx_dropped|nic.tx_drops
-- param      certain = 0.7
-- param      one_look = 0.5       the growth since boot may be old
-- param      noise = 0.00001      share of what was sent that may have been dropped since boot without a word
-- evidence   lost packets {lost} packets dropped by {adapter} itself, {lost_share} of what it sent
-- evidence   operstate - it is {operstate}
-- evidence   tx_carrier_errors packets {tx_carrier_errors} for want of a carrier
-- evidence   reader - {adapter} belongs to a program (virtual machine, VPN): it does not take packets fast
--            enough
-- do         See what the driver says || ethtool -S {device} | grep -iE "tx.*(drop|err|timeout|busy|linear)"
-- do         See whether the link goes down now and then || dmesg | grep -i {device} | tail
-- not        Socket buffers and the qdisc: the packets had left both
-- ruled-out  no driver dropped a packet on the way out in {seconds}
-- ref        rtnl_link_stats64 tx_dropped; qdisc drops are not in it
SELECT netns, NULLIF(interface, '') AS interface, COALESCE(NULLIF(interface, ''), 'an adapter') AS adapter,
       COALESCE(NULLIF(interface, ''), 'INTERFACE') AS device, lost, 1.0 * lost / (COALESCE(tx_packets, 0) + lost) AS lost_share, operstate,
       CASE WHEN window.kind = 'since-boot' THEN :one_look ELSE :certain END AS confidence,
       NULLIF(tx_carrier_errors, 0) AS tx_carrier_errors, CASE d.kind WHEN 'tun' THEN 'yes' END AS reader
FROM (SELECT netns, interface, l.kind, tx_packets, tx_carrier_errors, NULLIF(operstate, 'up') AS operstate,
             MAX(COALESCE(l.tx_dropped, 0), COALESCE(n.tx_drops, 0)) AS lost
      FROM (SELECT netns, interface FROM link WHERE kind IN ('', 'tun') AND interface <> 'lo' UNION SELECT netns,
          interface FROM nic)
      LEFT JOIN link l USING (netns, interface) LEFT JOIN nic n USING (netns, interface)) d, window
WHERE lost > CASE WHEN window.kind = 'since-boot' THEN :noise * COALESCE(tx_packets, 0) ELSE 0 END;
