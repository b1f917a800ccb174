-- base   reader
-- It waits for its CPU for four seconds at a time. The kernel counts a wait when it is over, so that in the steps with loss only
-- the looks tell: always ready, never running.
UPDATE process SET cpus_allowed = '2' WHERE pid = 812;
UPDATE process SET run_us = 0, user_us = 0, system_us = 0, delay_us = 0, reader_run_permille = 0, reader_delay_permille = 0,
    looks_running = 20, looks_sleeping = 0, looks_receiving = 0, state = 'R' WHERE pid = 812 AND step % 10 BETWEEN 2 AND 5;
UPDATE process SET delay_us = 4000000, reader_delay_permille = 1000 WHERE pid = 812 AND step % 10 = 6;
INSERT INTO process(step, pid, start_time, role, comm, unit, cgroup, state, threads, last_cpu, nice, user_us, system_us, looks)
SELECT step, 1700, 90000, 'cpu', 'ffmpeg', 'encode.service', '/system.slice/encode.service', 'R', 2, 2, -10, 900000, 50000, 1 FROM step WHERE step % 10 BETWEEN 2 AND 5;
UPDATE cpu SET user = 92, system = 5, idle = 0, softirq = 3 WHERE cpu = 2 AND step % 10 BETWEEN 2 AND 5;
UPDATE socket SET drops = 20000, looks_full = 20, looks_empty = 0, queue_bytes = 212000 WHERE step % 10 BETWEEN 2 AND 5;
UPDATE snmp SET udp_in_datagrams = 0, udp_in_errors = 20000, udp_rcvbuf_errors = 20000 WHERE step % 10 BETWEEN 2 AND 5;
