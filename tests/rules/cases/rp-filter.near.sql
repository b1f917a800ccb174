-- kind since-boot
-- Three packets among forty million since boot.
UPDATE snmp SET ip_in_receives = 42949247, tcp_ext_ip_reverse_path_filter = 3;
