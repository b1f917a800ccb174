-- kind since-boot
-- base none
-- A capture host: one line of ethtool -S.
INSERT INTO nic(step, netns, interface, ring_drops) VALUES (1, 'host', 'eth7', 22637793);
