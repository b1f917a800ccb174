-- base   reader
-- The reader's group is at memory.max; the host's UDP memory is nearly empty.
UPDATE cgroup SET memory_max_bytes = 41943040, memory_current_bytes = 41943040, memory_max_events = 50 WHERE path = '/system.slice/rsyslog.service';
UPDATE socket SET drops = 120;
