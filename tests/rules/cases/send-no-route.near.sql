-- kind since-boot
-- 222 in eighteen million since boot.
UPDATE snmp SET ip_out_requests = 18593212, ip_out_no_routes = 222 WHERE netns = 'host';
