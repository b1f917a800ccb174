-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       nic-ring-overflow
-- kind       cause
-- explains   nic
-- after      rx-one-cpu
-- severity   warning
-- title      The receive ring of {adapter} overflows
-- needs      link.rx_missed_errors|link.rx_fifo_errors|nic.ring_drops
-- param      certain = 0.9
-- param      one_look = 0.6       the growth since boot may be old
-- param      noise = 0.00001      share of the packets that may have been missed since boot without a word
-- param      busy = 0.8           share of a CPU's time in softirq from which it is too busy to empty the ring
-- evidence   lost packets {lost} packets missed by {adapter} ({driver})
-- evidence   lost_share ratio that is {lost_share} of what arrived
-- evidence   lossy_steps steps lost in {lossy_steps} of {steps} steps
-- evidence   rx_ring descriptors the ring holds {rx_ring} packets, it may hold {rx_ring_max}
-- evidence   softirq_share ratio CPU {busiest_cpu} spends {softirq_share} of its time receiving packets
-- evidence   port_drops packets {port_drops} of them in the adapter's own buffer (bus, flow control)
-- evidence   alloc_fails events {alloc_fails} times there was no memory for a receive buffer
-- against    full_size descriptors the ring has its largest size ({rx_ring}) already
-- do         Use more receive queues, each with a CPU of its own ||
--            ethtool -L {device} combined {channels_max} || ethtool -L {device} combined {channels}
-- do         See which CPUs take its interrupts; spread them where one does most ||
--            grep -E {irq_pattern} /proc/interrupts
-- do         Let the ring hold more (the link may pause for a moment) ||
--            ethtool -G {device} rx {rx_ring_max} || ethtool -G {device} rx {rx_ring}
-- not        A bigger socket buffer: these packets never reached a socket
-- not        A larger ring does not help the {port_drops} lost in the adapter's own buffer
-- ruled-out  no adapter missed a packet in {seconds}
-- ref        drivers/net; rtnl_link_stats64 rx_missed_errors; ethtool -S names by driver
WITH loss AS (
    SELECT netns, interface, l.rx_packets, driver, rx_ring, rx_ring_max, channels, channels_max, alloc_fails,
           phy_drops,
           MAX(COALESCE(rx_missed_errors, 0), COALESCE(rx_fifo_errors, 0), COALESCE(rx_over_errors, 0),
               COALESCE(ring_drops, 0)) AS ring, COALESCE(phy_drops, 0) AS port
    FROM (SELECT netns, interface FROM link WHERE kind = '' UNION SELECT netns, interface FROM nic)
    LEFT JOIN link l USING (netns, interface) LEFT JOIN nic n USING (netns, interface)),
lossy AS (
    SELECT netns, interface, COUNT(*) AS lossy_steps FROM link_step
    WHERE rx_missed_errors > 0 OR rx_fifo_errors > 0 OR rx_over_errors > 0 GROUP BY netns, interface),
busiest AS (
    SELECT cpu AS busiest_cpu, MAX(share) AS softirq_share
    FROM (SELECT cpu, 1.0 * (softirq + irq)
                 / NULLIF(user + nice + system + idle + iowait + irq + softirq + steal, 0) AS share FROM cpu))
SELECT netns, NULLIF(interface, '') AS interface, COALESCE(NULLIF(interface, ''), 'an adapter') AS adapter,
       COALESCE(NULLIF(interface, ''), 'INTERFACE') AS device, COALESCE(driver, 'driver unknown') AS driver, ring + port AS lost,
       1.0 * (ring + port) / (rx_packets + ring + port) AS lost_share,
       CASE WHEN kind = 'since-boot' THEN :one_look ELSE :certain END AS confidence,
       CASE WHEN steps > 1 THEN lossy_steps END AS lossy_steps, steps,
       rx_ring, CASE WHEN rx_ring < rx_ring_max THEN rx_ring_max END AS rx_ring_max,
       CASE WHEN rx_ring >= rx_ring_max THEN rx_ring END AS full_size,
       channels, CASE WHEN channels < MIN(channels_max, cpus) THEN MIN(channels_max, cpus) END AS channels_max,
       CASE WHEN kind <> 'since-boot' AND softirq_share >= :busy THEN busiest_cpu END AS busiest_cpu,
       softirq_share, NULLIF(port, 0) AS port_drops, NULLIF(alloc_fails, 0) AS alloc_fails,
       CASE interface WHEN '' THEN 'CPU' ELSE 'CPU|' || interface END AS irq_pattern
FROM loss LEFT JOIN lossy USING (netns, interface), busiest, (SELECT COUNT(*) AS cpus FROM cpu), window
WHERE ring + port > CASE WHEN kind = 'since-boot' THEN :noise * COALESCE(rx_packets, 0) ELSE 0 END;
