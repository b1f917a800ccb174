-- A namespace with a limit of 20,000 bytes; one short test.
-- steps 10 1000
CREATE TEMP TABLE other AS SELECT * FROM snmp;
UPDATE other SET netns = 'lab', netns_inode = 4026532200, netns_pid = 4711, udp_in_datagrams = 0,
    ip_reasm_reqds = CASE step WHEN 4 THEN 80 ELSE 0 END,
       ip_reasm_fails = CASE step WHEN 4 THEN 72 ELSE 0 END;
INSERT INTO snmp SELECT * FROM other;
INSERT INTO sockstat(step, netns, frag_inuse, frag_memory_bytes, frag6_inuse, frag6_memory_bytes) SELECT step,
    'lab', CASE WHEN step < 4 THEN 0 ELSE 8 END, CASE WHEN step < 4 THEN 0 ELSE 20032 END, 0, 0 FROM step;
INSERT INTO sysctl(step, netns, ipfrag_high_thresh_bytes, ipfrag_low_thresh_bytes, ipfrag_time_s,
    ipfrag_max_dist)
SELECT step, 'lab', 20000, 10000, 30, 64 FROM step;
