-- Missed and dropped packets are told apart.
UPDATE link SET rx_dropped = 3000 WHERE interface = 'eth0';
