-- Steering misses and unwanted frames: nothing was missed.
UPDATE nic SET steer_misses = 500;
UPDATE link SET rx_dropped = 30 WHERE interface = 'eth0';
