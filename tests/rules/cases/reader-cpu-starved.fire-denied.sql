-- base   reader
-- The socket is seen, its owner is not (no root): what the host shows must do.
DELETE FROM owner;
DELETE FROM process;
UPDATE socket SET owner_state = 'denied', owners = 0;
UPDATE cpu SET user = 85, idle = 0, system = 10, softirq = 5 WHERE step % 10 = 0;
UPDATE pressure SET some_total_us = 800000 WHERE resource = 'cpu' AND step % 10 = 0;
UPDATE socket SET drops = 7000, looks_full = 18, looks_empty = 0, queue_bytes = 212000 WHERE step % 10 = 0;
UPDATE snmp SET udp_in_datagrams = 13000, udp_in_errors = 7000, udp_rcvbuf_errors = 7000 WHERE step % 10 = 0;
