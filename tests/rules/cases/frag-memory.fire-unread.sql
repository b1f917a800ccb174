-- A namespace whose sysctls nobody may read.
CREATE TEMP TABLE other AS SELECT * FROM snmp;
UPDATE other SET netns = 'web', netns_inode = 4026532200, netns_pid = 4711, ip_reasm_reqds = 4000,
    ip_reasm_oks = 100, ip_reasm_fails = 3600, ip_reasm_timeout = 3;
INSERT INTO snmp SELECT * FROM other;
INSERT INTO sockstat(step, netns, frag_inuse, frag_memory_bytes) SELECT step, 'web', 90, 262500 FROM step;
