-- The same on the loopback device: there the sender pays for the softirq.
UPDATE cpu SET user = 5, system = 5, softirq = 85, idle = 5 WHERE cpu = 2 AND step % 6 = 0;
UPDATE snmp SET udp_in_datagrams = 300000, udp_in_errors = 90000, udp_rcvbuf_errors = 90000,
    ip_in_receives = 400000 WHERE netns = 'host' AND step % 6 = 0;
UPDATE link SET rx_packets = 390000 WHERE interface = 'lo' AND step % 6 = 0;
