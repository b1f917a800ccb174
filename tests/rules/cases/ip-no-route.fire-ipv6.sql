-- The same over IPv6, in another namespace.
CREATE TEMP TABLE other AS SELECT * FROM snmp;
UPDATE other SET netns = 'web', netns_inode = 4026532200, netns_pid = 4711, ip_in_receives = 0,
    ip6_in_receives = 900, ip6_in_no_routes = 300;
INSERT INTO snmp SELECT * FROM other;
