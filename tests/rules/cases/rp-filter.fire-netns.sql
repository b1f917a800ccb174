-- The same in a namespace whose interfaces are not seen, and whose sysctls could be read.
CREATE TEMP TABLE other AS SELECT * FROM snmp;
UPDATE other SET netns = 'web', netns_inode = 4026532200, netns_pid = 4711, ip_in_receives = 500,
    tcp_ext_ip_reverse_path_filter = 300;
INSERT INTO snmp SELECT * FROM other WHERE step < 4;
INSERT INTO sysctl(step, netns, rp_filter_all, log_martians_all) SELECT step, 'web', 1, 0 FROM step;
