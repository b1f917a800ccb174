-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       nic-drops-unsplit
-- kind       no-loss
-- explains   nic
-- severity   info
-- title      {adapter} dropped {dropped} received packets of a kind that this data does not show
-- needs      link.rx_dropped_unsplit|link.rx_dropped
-- param      certain = 0.3        it may be loss (the ring) or none (frames nobody wanted)
-- param      few = 10             packets
-- param      share = 0.001        of the received packets
-- evidence   dropped packets {dropped} dropped beside {rx_packets} received; missed packets are not told apart
--            from unwanted ones here
-- against    surplus flag more dropped than received: these are frames of protocols that nobody takes, not loss
-- do         Packets missed by the ring stand under their own name ||
--            ethtool -S {device} | grep -iE "miss|no_buf|out_of_buffer|discard|drop"
-- do         The backlog's are column 2 (hexadecimal) || cat /proc/net/softnet_stat
-- ref        net/core/net-procfs.c: "drop" of /proc/net/dev is rx_dropped and rx_missed_errors; since 2.6.37
--            also unwanted frames
SELECT netns, NULLIF(interface, '') AS interface, COALESCE(NULLIF(interface, ''), 'An adapter') AS adapter,
       COALESCE(NULLIF(interface, ''), 'INTERFACE') AS device, dropped, rx_packets, :certain AS confidence,
       CASE WHEN dropped > rx_packets THEN 1 END AS surplus
FROM (SELECT l.netns, l.interface, kind, rx_packets,
             COALESCE(rx_dropped_unsplit, rx_dropped) - COALESCE(ring_drops, 0) AS dropped
      FROM link l LEFT JOIN nic n USING (netns, interface) WHERE rx_missed_errors IS NULL)
WHERE kind <> 'veth' AND dropped >= MAX(:few, :share * COALESCE(rx_packets, 0));
