-- Frames of unknown protocols; UDP lost nothing.
UPDATE link SET rx_dropped = 60 WHERE interface = 'eth0';
