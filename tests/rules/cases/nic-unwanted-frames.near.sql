-- The drops of the interface are those of the backlog.
UPDATE link SET rx_dropped = 60 WHERE interface = 'eth0';
UPDATE softnet SET dropped = 15;
