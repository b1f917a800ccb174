-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       headroom-ring
-- kind       note
-- explains   -
-- text       {interface}: ring of {rx_ring} packets (at most {rx_ring_max}), {rx_packets} received, none missed
-- needs      nic.rx_ring link.rx_missed_errors
-- ref        ethtool -g, rx_missed_errors
SELECT interface, rx_ring, rx_ring_max, rx_packets
FROM nic JOIN link USING (netns, interface)
WHERE rx_packets > 0 AND rx_ring > 0 AND rx_missed_errors = 0 AND NOT EXISTS (SELECT 1 FROM ledger);
