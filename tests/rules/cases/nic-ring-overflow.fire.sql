-- The ring of 512 overflows in bursts, and could hold 4096.
UPDATE link SET rx_missed_errors = 400, rx_fifo_errors = 400 WHERE interface = 'eth0' AND step % 10 = 0;
