-- In another namespace, whose queues are not seen.
CREATE TEMP TABLE other AS SELECT * FROM snmp;
UPDATE other SET netns = 'web', netns_inode = 4026532200, netns_pid = 4711, udp6_sndbuf_errors = 30,
    ip6_out_discards = 30;
INSERT INTO snmp SELECT * FROM other;
