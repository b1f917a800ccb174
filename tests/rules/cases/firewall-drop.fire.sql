-- A rule in front of syslog takes datagrams between the looks.
INSERT INTO firewall_rule(step, chain, rule, text, action, protocol, packets)
SELECT step, 'filter INPUT', 4, 'DROP udp -- * * 0.0.0.0/0 0.0.0.0/0 udp dpt:514', 'drop', 'udp', 12 FROM step;
