-- A program is attached and drops nothing.
UPDATE link SET xdp_attached = 1 WHERE interface = 'eth0';
