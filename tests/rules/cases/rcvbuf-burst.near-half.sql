-- kind since-boot
-- One look: half of everything was lost. That is no burst.
UPDATE snmp SET udp_in_datagrams = 738329, udp_in_errors = 778151,
    udp_rcvbuf_errors = 778151 WHERE netns = 'host';
