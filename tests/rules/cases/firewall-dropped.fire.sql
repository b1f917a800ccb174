-- kind since-boot
-- What the policy dropped since it was set is told, and is no loss.
INSERT INTO firewall_rule(step, chain, rule, text, action, protocol, packets)
VALUES (1, 'filter INPUT', 0, 'policy', 'drop', 'all', 4711), (1, 'filter INPUT', 3, 'DROP udp dpt:137', 'drop', 'udp', 99);
