-- A fragment found no room in the queue of the adapter: counted there.
UPDATE snmp SET ip_frag_fails = 15, udp_sndbuf_errors = 15, ip_out_discards = 15 WHERE netns = 'host';
UPDATE qdisc SET drops = 15 WHERE interface = 'eth0';
