-- The same with buffers of 16 MiB.
UPDATE snmp SET udp_in_datagrams = 150000 WHERE netns = 'host' AND step = 17;
UPDATE sysctl SET rmem_default_bytes = 16777216, rmem_max_bytes = 16777216;
