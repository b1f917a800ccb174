-- base   reader
-- Four processes hold the socket after a fork, one of them reads; it is at its limit.
INSERT INTO owner(step, inode, pid, start_time, fd, netns) SELECT step, 50001, 813 + column1, 1201 + column1, 4, 'host' FROM step, (VALUES (0), (1), (2));
INSERT INTO process(step, pid, start_time, role, comm, unit, cgroup, state, wait_channel, threads, readers, last_cpu, run_us, delay_us, switches_voluntary, looks, looks_running,
    looks_sleeping, looks_blocked, looks_stopped, looks_receiving)
SELECT step, 813 + column1, 1201 + column1, 'owner', 'rsyslogd', 'rsyslog.service', '', 'S', 'do_wait', 1, 0, 1, 0, 0, 0, 20, 0, 20, 0, 0, 0 FROM step, (VALUES (0), (1), (2));
UPDATE process SET run_us = 985000, reader_run_permille = 985, switches_voluntary = 3, looks_running = 20, looks_sleeping = 0, looks_receiving = 0, state = 'R', wait_channel = '' WHERE pid = 812;
UPDATE socket SET owners = 4, drops = 4000, looks_full = 18, looks_empty = 0, queue_bytes = 210000 + 832 * (step % 2);
UPDATE snmp SET udp_in_datagrams = 16000, udp_in_errors = 4000, udp_rcvbuf_errors = 4000;
