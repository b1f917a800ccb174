-- A program at the adapter drops a tenth.
UPDATE link SET xdp_attached = 1 WHERE interface = 'eth0';
UPDATE nic SET xdp_drops = 22000 WHERE step % 10 = 0;
