-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       rx-cpu-skew
-- kind       level
-- explains   -
-- severity   info
-- unit       ratio
-- text       CPU {cpu} does {packet_share} of all receive work ({packets} of {all_packets} packets){squeezed}
-- needs      softnet.processed
-- param      most = 0.9           share of all packets
-- param      rate = 10000         packets a second from which one CPU may become the limit
-- param      ever = 100000000     packets since boot, where there is no rate
-- do         See where the adapter's interrupts go, and spread them (irqbalance does it) ||
--            grep -E {irq_pattern} /proc/interrupts
-- do         Use more receive queues || ethtool -L {adapter} combined {channels_max} ||
--            ethtool -L {adapter} combined {channels}
-- ref        Documentation/networking/scaling.rst; with loss it becomes rx-one-cpu
WITH top AS (
    SELECT cpu, MAX(processed) AS packets, time_squeeze, (SELECT SUM(processed) FROM softnet) AS all_packets,
           COUNT(*) AS cpus FROM softnet),
busiest AS (SELECT interface AS adapter, MAX(rx_packets) FROM link WHERE kind = '' AND interface <> 'lo')
SELECT cpu, 1.0 * packets / all_packets AS value, 1.0 * packets / all_packets AS packet_share, packets, all_packets,
       CASE WHEN time_squeeze > 0 THEN 'warning' END AS severity,
       CASE WHEN time_squeeze > 0 THEN printf(', and its rounds ended %d times with work left', time_squeeze)
           ELSE '' END AS squeezed,
       adapter, COALESCE('CPU|' || adapter, '.') AS irq_pattern, channels,
       CASE WHEN channels < MIN(channels_max, cpus) THEN MIN(channels_max, cpus) END AS channels_max
FROM top, busiest LEFT JOIN (SELECT interface, channels, channels_max FROM nic) ON interface = adapter, window
WHERE cpus > 1 AND packets >= :most * all_packets
    AND CASE WHEN kind = 'since-boot' OR seconds = 0 THEN all_packets >= :ever ELSE all_packets >= :rate * seconds END
    AND NOT EXISTS (SELECT 1 FROM ledger WHERE locus = 'nic');
