-- CPU 2 is filled by packet reception in the seconds with loss.
UPDATE cpu SET user = 5, system = 5, softirq = 85, idle = 5 WHERE cpu = 2 AND step % 6 = 0;
UPDATE snmp SET udp_in_datagrams = 30000, udp_in_errors = 9000, udp_rcvbuf_errors = 9000,
    ip_in_receives = 39500 WHERE netns = 'host' AND step % 6 = 0;
UPDATE link SET rx_packets = 39500 WHERE interface = 'eth0' AND step % 6 = 0;
