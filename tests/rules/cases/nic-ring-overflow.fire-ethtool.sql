-- The driver tells it to ethtool only; nothing in rtnetlink, and the ring is as large as it gets.
UPDATE nic SET driver = 'ena', ring_drops = 900, alloc_fails = 20, rx_ring = 4096 WHERE step = 30;
