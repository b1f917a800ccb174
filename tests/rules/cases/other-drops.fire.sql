-- kind   capture
-- Somebody watched where packets are dropped: most of them where several kinds of loss are.
INSERT INTO drop_site(step, function, reason, packets) VALUES (20, '__udp4_lib_rcv', '', 9311), (20, 'ip_rcv_finish_core', '', 2),
    (20, 'nf_hook_slow', 'NETFILTER_DROP', 30), (20, '', 'FRAG_TOO_FAR', 7), (20, 'some_driver_rx', '', 5), (20, 'tcp_v4_rcv', '', 40);
