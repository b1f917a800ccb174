-- SPDX-License-Identifier: GPL-2.0-or-later
-- On top of base.sql: rsyslogd reads port 514, looked at twenty times in every step. It keeps up: its queue is empty at most
-- looks, its one thread runs 35 % of the time on CPU 2 and sleeps in its receive call for the rest. kernel.task_delayacct is
-- off, so that its delays are not known. Beside it, what else runs and writes on this host.

INSERT INTO socket(step, netns, cookie, inode, protocol, family, address, port, peer_address, peer_port, interface, uid, connected,
    rcvbuf_bytes, rmem_bytes, queue_bytes, queue_peak_bytes, sndbuf_bytes, wmem_bytes, drops, looks, looks_full,
    looks_empty, reuseport_members, reuseport_empty, owners, owner_state, kernel_user, has_filter, cgroup)
SELECT step, 'host', 1001, 50001, 'udp', 4, '0.0.0.0', 514, '', 0, '', 0, 0,
       212992, 832, 832, 9152, 212992, 0, 0, 20, 0, 15, 1, 0, 1, 'found', '', NULL, '/system.slice/rsyslog.service'
FROM step;

INSERT INTO owner(step, inode, pid, start_time, fd, netns) SELECT step, 50001, 812, 1200, 4, 'host' FROM step;

INSERT INTO process(step, pid, start_time, role, comm, executable, unit, container, cgroup, memory_cgroup, freezer_cgroup, netns,
    uid, state, wait_channel, threads, readers, last_cpu, cpus_allowed, nice, user_us, system_us, run_us, delay_us,
    switches_voluntary, switches_involuntary, major_faults, read_bytes, write_bytes, block_delay_us,
    swap_delay_us, reclaim_delay_us, hottest_thread, hottest_name, hottest_run_permille, hottest_delay_permille,
    reader_run_permille, reader_delay_permille, looks, looks_running, looks_sleeping, looks_blocked,
    looks_stopped, looks_receiving)
SELECT step, 812, 1200, 'owner', 'rsyslogd', '/usr/sbin/rsyslogd', 'rsyslog.service', '', '/system.slice/rsyslog.service',
       '/system.slice/rsyslog.service', '/system.slice/rsyslog.service', 'host', 0, 'S', '__skb_wait_for_more_packets', 1, 1,
       2, '0-3', 0, 200000, 150000, 350000, 2000, 3000, 20, 0, 0, 800000, NULL, NULL, NULL, 812, 'rsyslogd', 350, 2, 350, 2,
       20, 7, 13, 0, 0, 13
FROM step;
INSERT INTO process(step, pid, start_time, role, comm, executable, unit, container, cgroup, memory_cgroup, freezer_cgroup, netns,
    uid, state, wait_channel, threads, readers, last_cpu, cpus_allowed, nice, user_us, system_us, run_us, delay_us,
    switches_voluntary, switches_involuntary, major_faults, read_bytes, write_bytes, block_delay_us,
    swap_delay_us, reclaim_delay_us, hottest_thread, hottest_name, hottest_run_permille, hottest_delay_permille,
    reader_run_permille, reader_delay_permille, looks, looks_running, looks_sleeping, looks_blocked,
    looks_stopped, looks_receiving)
SELECT step, 990, 4400, 'cpu', 'mysqld', '/usr/sbin/mysqld', 'mysql.service', '', '/system.slice/mysql.service',
       '/system.slice/mysql.service', '/system.slice/mysql.service', 'host', 110, 'S', 'futex_wait_queue', 40, 0,
       1, '0-3', 0, 250000, 50000, 300000, 4000, 2000, 40, 0, 0, 400000, NULL, NULL, NULL, 995, 'connection', 120, 1, 120, 1,
       1, 0, 1, 0, 0, 0
FROM step;

INSERT INTO cgroup(step, path, parent, unit, version, quota_us, period_us, periods, throttled_periods, throttled_us,
    memory_current_bytes, memory_high_bytes, memory_max_bytes, memory_high_events, memory_max_events,
    oom_events, frozen, cpu_some_us, memory_some_us, io_some_us)
SELECT step, column1, column2, column3, 2, NULL, 100000, 0, 0, 0, column4, NULL, NULL, 0, 0, 0, 0, 2000, 0, 0
FROM step, (VALUES ('/system.slice/rsyslog.service', '/system.slice', 'rsyslog.service', 41943040),
                   ('/system.slice', '', 'system.slice', 1610612736));
