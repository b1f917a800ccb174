-- A few hundred datagrams to a closed port over a veth pair, within a second.
-- steps 5 1000
CREATE TEMP TABLE other AS SELECT * FROM snmp;
UPDATE other SET netns = 'lab', netns_inode = 4026532200, netns_pid = 4711, udp_in_datagrams = 0,
    udp6_in_datagrams = 0,
       udp6_no_ports = CASE step WHEN 3 THEN 300 ELSE 0 END, icmp6_out_dest_unreachs = CASE step WHEN 3 THEN 6
           ELSE 0 END;
INSERT INTO snmp SELECT * FROM other;
