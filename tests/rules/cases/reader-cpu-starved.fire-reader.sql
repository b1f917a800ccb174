-- base   reader
-- Two programs with a higher priority run on the reader's CPU from the middle on; the other CPUs are idle, but it is pinned.
UPDATE process SET cpus_allowed = '2' WHERE pid = 812;
UPDATE process SET run_us = 90000, user_us = 50000, system_us = 40000, delay_us = 900000, reader_run_permille = 90, reader_delay_permille = 900,
    looks_running = 20, looks_sleeping = 0, looks_receiving = 0, state = 'R', switches_involuntary = 300
WHERE pid = 812 AND step > 30;
INSERT INTO process(step, pid, start_time, role, comm, unit, cgroup, state, threads, last_cpu, nice, run_us, delay_us, looks)
SELECT step, 1700, 90000, 'cpu', 'ffmpeg', 'encode.service', '/system.slice/encode.service', 'R', 2, 2, -10, 900000, 800000, 1 FROM step WHERE step > 30;
UPDATE cpu SET user = 92, system = 5, idle = 0, softirq = 3 WHERE cpu = 2 AND step > 30;
UPDATE socket SET drops = 7000, looks_full = 18, looks_empty = 0, queue_bytes = 212000 WHERE step > 30;
UPDATE snmp SET udp_in_datagrams = 13000, udp_in_errors = 7000, udp_rcvbuf_errors = 7000 WHERE step > 30;
