-- The adapter's driver drops.
UPDATE link SET tx_dropped = 4, tx_carrier_errors = 1 WHERE interface = 'eth0';
