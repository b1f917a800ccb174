-- kind since-boot
-- base none
-- softnet_stat alone, as people paste it.
INSERT INTO softnet(step, cpu, processed, dropped, time_squeeze, received_rps, flow_limit_count)
VALUES (1, 0, 766788, 1137, 0, 0, 0), (1, 1, 771951, 773, 0, 0, 0);
