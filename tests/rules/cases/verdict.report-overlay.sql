-- kind capture
-- steps 1 1000
-- base none
-- sar -n EDEV: one tunnel drops on the way out.
INSERT INTO link(step, netns, interface, kind, tx_dropped, rx_dropped, rx_missed_errors) VALUES (1, 'host',
    'flannel.1', 'vxlan', 51, 0, 0), (1, 'host', 'eth0', '', 0, 0, 0);
