-- Half of udp_mem[0].
UPDATE sockstat SET udp_mem_pages = 47000;
