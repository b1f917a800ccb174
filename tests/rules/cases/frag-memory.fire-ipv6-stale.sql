-- Over IPv6 nothing else refuses so many fragments, though the limit was read before it was lowered.
CREATE TEMP TABLE other AS SELECT * FROM snmp;
UPDATE other SET netns = 'lab', netns_inode = 4026532200, netns_pid = 4711, udp_in_datagrams = 0,
       ip6_reasm_reqds = 120, ip6_reasm_fails = 118, ip6_reasm_timeout = step = 60;
INSERT INTO snmp SELECT * FROM other;
INSERT INTO sockstat(step, netns, frag_inuse, frag_memory_bytes, frag6_inuse, frag6_memory_bytes) SELECT step,
    'lab', 0, 0, 1, 66200 FROM step;
INSERT INTO sysctl(step, netns, ip6frag_high_thresh_bytes, ip6frag_low_thresh_bytes, ip6frag_time_s) VALUES (1,
    'lab', 300000, 200000, 4);
