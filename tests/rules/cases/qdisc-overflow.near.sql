-- Packets put back since the adapter was busy are no loss.
UPDATE qdisc SET requeues = 300, overlimits = 50;
