-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       nic-unwanted-frames
-- kind       no-loss
-- explains   nic
-- severity   info
-- title      {adapter} receives frames that nobody wants: no loss
-- needs      link.rx_dropped link.rx_missed_errors
-- param      certain = 0.8
-- param      few = 10             packets
-- param      share = 0.001        of the received packets
-- evidence   unwanted packets {unwanted} frames beside {rx_packets} packets: unknown protocols, VLANs or MAC
--            addresses
-- do         Nothing to mend. To see what they are ||
--            tcpdump -nei {device} -c 50 not ip and not ip6 and not arp
-- ref        net/core/dev.c __netif_receive_skb_core(): no handler; rx_nohandler, rx_otherhost_dropped
SELECT netns, NULLIF(interface, '') AS interface, COALESCE(NULLIF(interface, ''), 'An adapter') AS adapter,
       COALESCE(NULLIF(interface, ''), 'INTERFACE') AS device, unwanted, rx_packets, :certain AS confidence
FROM (SELECT l.netns, l.interface, rx_packets,
             MAX(0, COALESCE(rx_dropped, 0) - COALESCE(ring_drops, 0) - COALESCE(xdp_drops, 0)
                 - (SELECT TOTAL(dropped) FROM softnet))
             + COALESCE(rx_nohandler, 0) + COALESCE(rx_otherhost_dropped, 0) AS unwanted
      FROM link l LEFT JOIN nic n USING (netns, interface)
      WHERE kind <> 'veth' AND l.interface <> 'lo' AND rx_missed_errors IS NOT NULL)
WHERE unwanted >= MAX(:few, :share * COALESCE(rx_packets, 0));
