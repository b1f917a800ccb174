-- A twentieth of the limit.
UPDATE sockstat SET frag_inuse = 20, frag_memory_bytes = 200000;
