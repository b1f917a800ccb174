-- kind since-boot
-- base none
-- softnet_stat alone: 92 % of all since boot on CPU 0, twelve thousand rounds cut short, nothing dropped.
INSERT INTO softnet(step, cpu, processed, dropped, time_squeeze, received_rps, flow_limit_count)
VALUES (1, 0, 1285027905, 0, 12580, 0, 0), (1, 1, 15000000, 0, 3, 0, 0), (1, 2, 3700000, 0, 0, 0, 0),
    (1, 3, 12000000, 0, 1, 0, 0), (1, 4, 9000000, 0, 0, 0, 0);
