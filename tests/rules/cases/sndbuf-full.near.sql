-- The queue of the adapter dropped them all, and told the senders.
UPDATE snmp SET udp_sndbuf_errors = 25, ip_out_discards = 25 WHERE netns = 'host';
UPDATE qdisc SET drops = 25, kind = 'pfifo_fast' WHERE interface = 'eth0';
