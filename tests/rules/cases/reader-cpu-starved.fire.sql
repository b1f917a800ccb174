-- A batch job takes all CPUs for ten seconds, and programs wait for them.
UPDATE cpu SET user = 88, system = 8, softirq = 4, idle = 0 WHERE step BETWEEN 20 AND 29;
UPDATE pressure SET some_total_us = 900000 WHERE resource = 'cpu' AND step BETWEEN 20 AND 29;
UPDATE snmp SET udp_in_datagrams = 15000, udp_in_errors = 5000, udp_rcvbuf_errors = 5000 WHERE netns = 'host'
    AND step BETWEEN 20 AND 29;
