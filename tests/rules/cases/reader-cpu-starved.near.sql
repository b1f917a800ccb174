-- One CPU is busy, the others idle: nobody waits for a CPU.
UPDATE cpu SET user = 92, system = 8, softirq = 0, idle = 0 WHERE cpu = 1;
UPDATE snmp SET udp_in_datagrams = 15000, udp_in_errors = 5000, udp_rcvbuf_errors = 5000 WHERE netns = 'host'
    AND step BETWEEN 20 AND 29;
