-- kind since-boot
-- base none
-- netstat -s of a database cluster: 480 times more failures than time-outs, and neither memory nor limits.
INSERT INTO snmp(step, netns, ip_in_receives, ip_in_addr_errors, ip_forw_datagrams, ip_in_discards,
    ip_in_delivers, ip_out_requests,
        ip_out_discards, ip_out_no_routes, ip_reasm_timeout, ip_reasm_reqds, ip_reasm_oks, ip_reasm_fails,
            ip_frag_oks, ip_frag_creates)
VALUES (1, 'host', 1478633885, 28039, 0, 0, 1385377694, 1045105164, 6, 57, 3455, 106583778, 32193658, 1666996,
    33504302, 111652305);
