-- 60,000-byte datagrams on the loopback device, whose MTU is larger: no fragments.
UPDATE snmp SET ip_in_receives = 30000, ip_ext_in_octets = 490000000,
    udp_in_datagrams = 28000 WHERE netns = 'host';
UPDATE link SET rx_packets = 8000, rx_bytes = 480000000 WHERE interface = 'lo';
