-- kind capture
-- steps 5 1000
-- base none
-- Six looks at ReasmFails and at nothing else: memory and time-outs cannot be told apart.
INSERT INTO snmp(step, netns, ip_reasm_fails) SELECT step, 'host', CASE step WHEN 1 THEN 1703 WHEN 2 THEN 1162
    WHEN 3 THEN 1233 WHEN 4 THEN 1473 ELSE 1044 END FROM step;
INSERT INTO sysctl(step, netns, ipfrag_high_thresh_bytes, ipfrag_low_thresh_bytes, ipfrag_time_s) SELECT step,
    'host', 4194304, 3145728, 30 FROM step;
