-- base   reader
-- Kernel 6.18: the limit was doubled in the middle, and nothing is lost since.
UPDATE sysctl SET udp_mem_min_pages = 2000, udp_mem_pressure_pages = 3000, udp_mem_max_pages = 4000 WHERE netns = 'host';
UPDATE sysctl SET udp_mem_min_pages = 4000, udp_mem_pressure_pages = 4000, udp_mem_max_pages = 4000 WHERE netns = 'host' AND step > 30;
UPDATE sockstat SET udp_mem_pages = 2000 WHERE netns = 'host';
UPDATE socket SET drops = 165 WHERE step <= 30;
