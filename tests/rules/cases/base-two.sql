-- SPDX-License-Identifier: GPL-2.0-or-later
-- On top of base.sql: two readers, looked at in every step: rsyslogd (812) at port 514 on CPU 2 and named (640) at port 53 on
-- CPU 3, which has four threads. Both keep up.
INSERT INTO socket(step, netns, cookie, inode, protocol, family, address, port, peer_address, peer_port, interface, uid, connected,
    rcvbuf_bytes, rmem_bytes, queue_bytes, queue_peak_bytes, sndbuf_bytes, wmem_bytes, drops, looks, looks_full,
    looks_empty, reuseport_members, reuseport_empty, owners, owner_state, kernel_user, has_filter, cgroup)
SELECT step, 'host', 1000 + column1, 50000 + column1, 'udp', 4, column2, column3, '', 0, '', 0, 0,
       212992, 832, 832, 9152, 212992, 0, 0, 20, 0, 15, 1, 0, 1, 'found', '', NULL, ''
FROM step, (VALUES (1, '0.0.0.0', 514), (2, '192.0.2.1', 53));
INSERT INTO owner(step, inode, pid, start_time, fd, netns)
SELECT step, 50000 + column1, column2, column3, 4, 'host' FROM step, (VALUES (1, 812, 1200), (2, 640, 900));
INSERT INTO process(step, pid, start_time, role, comm, executable, unit, container, cgroup, memory_cgroup, freezer_cgroup, netns,
    uid, state, wait_channel, threads, readers, last_cpu, cpus_allowed, nice, user_us, system_us, run_us, delay_us,
    switches_voluntary, switches_involuntary, major_faults, read_bytes, write_bytes, block_delay_us,
    swap_delay_us, reclaim_delay_us, hottest_thread, hottest_name, hottest_run_permille, hottest_delay_permille,
    reader_run_permille, reader_delay_permille, looks, looks_running, looks_sleeping, looks_blocked,
    looks_stopped, looks_receiving)
SELECT step, column1, column2, 'owner', column3, '/usr/sbin/' || column3, column4, '', '/system.slice/' || column4,
       '/system.slice/' || column4, '/system.slice/' || column4, 'host', 0, 'S', column5, column6, column7, column8, '0-3', 0,
       200000, 150000, 350000, 2000, 3000, 20, 0, 0, column9, NULL, NULL, NULL, column1, column3, 350, 2, 350, 2, 20, 7, 13, 0, 0, 13
FROM step, (VALUES (812, 1200, 'rsyslogd', 'rsyslog.service', '__skb_wait_for_more_packets', 1, 1, 2, 800000),
                   (640, 900, 'named', 'named.service', 'ep_poll', 4, 2, 3, 0));
INSERT INTO cgroup(step, path, parent, unit, version, quota_us, period_us, periods, throttled_periods, throttled_us,
    memory_current_bytes, memory_high_bytes, memory_max_bytes, memory_high_events, memory_max_events,
    oom_events, frozen, cpu_some_us, memory_some_us, io_some_us)
SELECT step, column1, column2, column3, 2, NULL, 100000, 0, 0, 0, 41943040, NULL, NULL, 0, 0, 0, 0, 2000, 0, 0
FROM step, (VALUES ('/system.slice/rsyslog.service', '/system.slice', 'rsyslog.service'),
                   ('/system.slice/named.service', '/system.slice', 'named.service'), ('/system.slice', '/', 'system.slice'));
