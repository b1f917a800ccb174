-- kind since-boot
-- Three damaged frames among forty million since boot: any link has those.
UPDATE link SET rx_packets = 40000000, rx_crc_errors = 3, rx_errors = 3 WHERE interface = 'eth0';
