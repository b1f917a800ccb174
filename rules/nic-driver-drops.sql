-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       nic-driver-drops
-- kind       cause
-- explains   nic
-- severity   warning
-- title      The driver of {adapter} throws received packets away
-- needs      nic.driver_drops
-- param      certain = 0.7        why, only its own statistics tell
-- param      one_look = 0.5       the growth since boot may be old
-- param      noise = 0.00001      share of the packets that may have been dropped since boot without a word
-- evidence   lost packets {lost} packets that {driver} could not use or had no memory for
-- evidence   alloc_fails events {alloc_fails} times there was no memory for a receive buffer
-- do         See its own names for them || ethtool -S {device} | grep -iE "drop|err|alloc|oversize"
-- do         See whether the kernel ran out of memory in the receive path ||
--            dmesg | grep -iE "page allocation failure" | tail
-- not        A larger ring or socket buffer: the packets had left the ring, and never reached a socket
-- ruled-out  no driver threw a received packet away in {seconds}
-- ref        ethtool -S names by driver: rx_drops, wqe_err, oversize_pkts_sw_drop, "drv dropped rx total"
SELECT netns, NULLIF(interface, '') AS interface, COALESCE(NULLIF(interface, ''), 'an adapter') AS adapter,
       COALESCE(NULLIF(interface, ''), 'INTERFACE') AS device, driver, driver_drops AS lost, NULLIF(alloc_fails, 0) AS alloc_fails,
       CASE WHEN kind = 'since-boot' THEN :one_look ELSE :certain END AS confidence
FROM nic LEFT JOIN (SELECT netns, interface, rx_packets FROM link) USING (netns, interface), window
WHERE driver_drops > CASE WHEN kind = 'since-boot' THEN :noise * COALESCE(rx_packets, 0) ELSE 0 END;
