-- kind   capture
-- All that was seen dropped is of TCP.
INSERT INTO drop_site(step, function, reason, packets) VALUES (20, 'tcp_v4_rcv', 'NO_SOCKET', 40), (20, 'tcp_rcv_established', 'TCP_OLD_SEQUENCE', 3),
    (20, 'unix_release_sock', '', 12);
