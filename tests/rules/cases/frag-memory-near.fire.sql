-- Incomplete datagrams hold 3.5 of 4 MB.
UPDATE sockstat SET frag_inuse = 250, frag_memory_bytes = 3500000;
