-- kind since-boot
-- Strays since boot.
UPDATE snmp SET ip_in_receives = 42949247, ip_in_hdr_errors = 98, ip6_in_hdr_errors = 83;
