-- kind since-boot
-- base none
-- What ifconfig shows of a bond: more dropped than received, and no missed packets apart.
INSERT INTO link(step, netns, interface, kind, rx_packets, tx_packets, rx_errors, rx_dropped, tx_dropped)
VALUES (1, 'host', 'bond0', 'bond', 39381, 24450, 0, 131523, 0);
