-- A bad cable.
UPDATE link SET rx_crc_errors = 12, rx_errors = 12 WHERE interface = 'eth0';
