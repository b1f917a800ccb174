-- kind since-boot
-- Rules that took nothing.
INSERT INTO firewall_rule(step, chain, rule, text, action, protocol, packets)
VALUES (1, 'filter INPUT', 0, 'policy', 'drop', 'all', 0);
