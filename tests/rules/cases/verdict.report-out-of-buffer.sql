-- kind since-boot
-- base none
-- The ring had no free buffers.
INSERT INTO nic(step, netns, interface, driver, ring_drops) VALUES (1, 'host', 'eth0', 'mlx5_core', 746308);
