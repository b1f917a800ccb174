-- kind since-boot
-- Strays since boot.
UPDATE snmp SET ip_in_receives = 42949247, ip_ext_in_truncated_pkts = 98, ip6_in_truncated_pkts = 83;
