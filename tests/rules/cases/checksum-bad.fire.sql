-- Datagrams of one sender come damaged over a plain adapter.
UPDATE snmp SET udp_in_csum_errors = 20, udp_in_errors = 20, udp6_in_csum_errors = 2,
    udp6_in_errors = 2 WHERE netns = 'host';
