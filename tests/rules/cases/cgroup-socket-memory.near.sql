-- base   reader
-- The group is near its limit, but the host's UDP memory is the one that is full.
UPDATE cgroup SET memory_max_bytes = 41943040, memory_current_bytes = 41900000 WHERE path = '/system.slice/rsyslog.service';
UPDATE sysctl SET udp_mem_min_pages = 2000, udp_mem_pressure_pages = 3000, udp_mem_max_pages = 4000 WHERE netns = 'host';
UPDATE sockstat SET udp_mem_pages = 2000 WHERE netns = 'host';
UPDATE socket SET drops = 165;
