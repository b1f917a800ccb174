-- A share of an idle host's datagrams, but few: no reason for a critical word.
UPDATE snmp SET udp_in_datagrams = 2, udp6_in_datagrams = 0 WHERE netns = 'host';
UPDATE snmp SET udp_in_errors = 3, udp_rcvbuf_errors = 3 WHERE netns = 'host' AND step % 4 = 0;
UPDATE cpu SET idle = 0, user = 100;
