-- kind   since-boot
-- base   none
-- Messages of another kind.
INSERT INTO kernel_log(step, kind, peer, port, messages, text)
VALUES (1, 'conntrack-full', '', 0, 12, 'nf_conntrack: table full, dropping packet');
