-- The hypervisor steals all the time; the loss does not follow it.
UPDATE cpu SET steal = 15, idle = 48;
UPDATE snmp SET udp_in_datagrams = 14000, udp_in_errors = 6000, udp_rcvbuf_errors = 6000 WHERE netns = 'host'
    AND step BETWEEN 30 AND 34;
