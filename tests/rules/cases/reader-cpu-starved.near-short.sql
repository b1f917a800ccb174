-- steps 3 1000
-- Three steps, all with loss and busy CPUs: nothing to compare with, no more than a guess.
UPDATE cpu SET user = 88, system = 8, softirq = 4, idle = 0;
UPDATE pressure SET some_total_us = 500000 WHERE resource = 'cpu';
UPDATE snmp SET udp_in_datagrams = 15000, udp_in_errors = 500, udp_rcvbuf_errors = 500 WHERE netns = 'host';
