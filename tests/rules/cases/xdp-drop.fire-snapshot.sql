-- kind since-boot
-- A program at the adapter dropped a tenth since boot.
UPDATE link SET xdp_attached = 1 WHERE interface = 'eth0';
UPDATE nic SET xdp_drops = 22000;
