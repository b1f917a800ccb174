-- The driver tells it to ethtool only; nothing in rtnetlink, and the ring is as large as it gets.
UPDATE nic SET driver = 'ena', rx_ring = 4096;
UPDATE nic SET ring_drops = 900, alloc_fails = 20 WHERE step = 30;
