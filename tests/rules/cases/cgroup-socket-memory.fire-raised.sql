-- base   reader
-- The socket memory limit of cgroup v1, doubled in the middle: nothing is lost since.
UPDATE cgroup SET version = 1, socket_memory_bytes = 3000000, socket_memory_max_bytes = 4194304, socket_memory_peak_bytes = 4194304 WHERE path = '/system.slice/rsyslog.service';
UPDATE cgroup SET socket_memory_max_bytes = 8388608 WHERE path = '/system.slice/rsyslog.service' AND step > 30;
UPDATE socket SET drops = 120 WHERE step <= 30;
