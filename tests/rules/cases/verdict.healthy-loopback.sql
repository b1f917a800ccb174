-- 60,000-byte datagrams over the loopback device: no fragments, nothing is lost.
UPDATE snmp SET ip_in_receives = 30000, ip_in_delivers = 30000, ip_ext_in_octets = 490000000,
    udp_in_datagrams = 28000, udp_out_datagrams = 23000 WHERE netns = 'host';
UPDATE link SET rx_packets = 8000, tx_packets = 8000, rx_bytes = 480000000,
    tx_bytes = 480000000 WHERE interface = 'lo';
