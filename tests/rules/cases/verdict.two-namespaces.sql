-- One namespace loses at a socket, the other at a full connection table.
CREATE TEMP TABLE other AS SELECT * FROM snmp;
UPDATE other SET netns = 'web', netns_inode = 4026532200, netns_pid = 4711, udp_rcvbuf_errors = 50,
    udp_in_errors = 50;
INSERT INTO snmp SELECT * FROM other;
UPDATE conntrack SET count = 262144, "drop" = 150 WHERE step > 30;
