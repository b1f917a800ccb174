-- Rules for other protocols, and for what this host sends.
INSERT INTO firewall_rule(step, chain, rule, text, action, protocol, packets)
SELECT step, 'filter INPUT', 5, 'DROP tcp -- * * 0.0.0.0/0 0.0.0.0/0 tcp dpt:23', 'drop', 'tcp', 900 FROM step;
INSERT INTO firewall_rule(step, chain, rule, text, action, protocol, packets)
SELECT step, 'filter OUTPUT', 1, 'DROP udp -- * * 0.0.0.0/0 0.0.0.0/0 udp dpt:25', 'drop', 'udp', 9 FROM step;
