-- Multicast that is read.
UPDATE snmp SET ip_ext_in_mcast_pkts = 18000 WHERE netns = 'host';
