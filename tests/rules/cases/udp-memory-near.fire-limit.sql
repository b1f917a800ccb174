-- At the limit, and no counter moves (kernel 6.18).
UPDATE sockstat SET udp_mem_pages = 94010;
