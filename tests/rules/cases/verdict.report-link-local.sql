-- kind since-boot
-- base none
-- A cloud instance: the allowances of ethtool -S.
INSERT INTO nic(step, netns, interface, driver, ring_drops, provider_limit_drops) VALUES (1, 'host', 'eth0',
    'ena', 0, 335000500);
