-- base   reader
-- In another namespace: no buffer limit, no dense looks; but the queue stands still, and nothing is read there at all.
INSERT INTO snmp(step, netns, netns_inode, netns_pid, udp_in_datagrams, udp_in_errors, udp_rcvbuf_errors, udp_no_ports, udp_in_csum_errors, udp_mem_errors, udp_out_datagrams)
SELECT step, 'web', 4026532000, 812, 0, 120, 120, 0, 0, 0, 0 FROM step;
UPDATE socket SET netns = 'web', cookie = 0, rcvbuf_bytes = NULL, rmem_bytes = NULL, sndbuf_bytes = NULL, queue_peak_bytes = NULL, looks = NULL, looks_full = NULL,
    looks_empty = NULL, drops = 120, queue_bytes = 213248;
UPDATE owner SET netns = 'web';
UPDATE process SET netns = 'web', container = 'web-1', state = 'S', wait_channel = 'do_sys_poll', run_us = 90000, readers = 0, switches_voluntary = 300, looks = 1, looks_running = 0, looks_sleeping = 1, looks_receiving = 0 WHERE pid = 812;
