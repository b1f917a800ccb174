-- Multicast that is read, other groups that are not, frames that nobody wants, a few strays.
UPDATE snmp SET ip_in_receives = 24000, ip_ext_in_mcast_pkts = 18000,
    udp_ignored_multi = 40 WHERE netns = 'host';
UPDATE snmp SET udp_no_ports = 1, ip_in_addr_errors = 1 WHERE netns = 'host' AND step % 10 = 0;
UPDATE link SET rx_dropped = 40, multicast = 20000 WHERE interface = 'eth0';
