-- A program sends to a network without a route.
UPDATE snmp SET ip_out_no_routes = 300, ip6_out_no_routes = 20 WHERE netns = 'host';
