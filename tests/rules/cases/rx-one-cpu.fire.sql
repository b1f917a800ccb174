-- CPU 0 takes all packets and is at its limit; the ring overflows meanwhile.
UPDATE softnet SET processed = CASE cpu WHEN 0 THEN 80000 ELSE 100 END, time_squeeze = CASE cpu WHEN 0 THEN 90
    ELSE 0 END;
UPDATE cpu SET softirq = 92, user = 3, system = 3, idle = 2 WHERE cpu = 0;
UPDATE nic SET channels = 1;
UPDATE link SET rx_packets = 81000, rx_missed_errors = 3000 WHERE interface = 'eth0';
