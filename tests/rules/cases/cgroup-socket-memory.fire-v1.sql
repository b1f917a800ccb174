-- base   reader
-- The socket memory limit of cgroup v1, which no counter of its own shows.
UPDATE cgroup SET version = 1, socket_memory_bytes = 3000000, socket_memory_max_bytes = 4194304, socket_memory_peak_bytes = 4194304 WHERE path = '/system.slice/rsyslog.service';
UPDATE socket SET drops = 120;
