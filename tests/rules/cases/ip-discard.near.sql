-- kind since-boot
-- Strays since boot.
UPDATE snmp SET ip_in_receives = 42949247, ip_in_discards = 98, ip6_in_discards = 83;
