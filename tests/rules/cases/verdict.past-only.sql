-- kind capture
-- steps 1 60000
-- Two looks after a cure: 225,000 datagrams came, the 6,205 lost ones are history.
UPDATE snmp SET udp_in_datagrams = 225000;
INSERT INTO snmp_last SELECT * FROM snmp;
UPDATE snmp_last SET udp_in_datagrams = 9225000, udp_in_errors = 6205, udp_rcvbuf_errors = 6205;
