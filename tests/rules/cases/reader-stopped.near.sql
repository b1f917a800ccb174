-- base   reader
-- A debugger holds the reader for a second, but its queue has room for that; what is lost later has another reason.
UPDATE process SET state = 't', wait_channel = 'ptrace_stop', run_us = 0, user_us = 0, system_us = 0,
    looks_running = 0, looks_sleeping = 0, looks_receiving = 0, looks_stopped = 20
WHERE step = 10 AND pid = 812;
UPDATE socket SET drops = 700, looks_full = 1 WHERE step IN (30, 40, 50);
UPDATE snmp SET udp_in_datagrams = 60000, udp_in_errors = 700, udp_rcvbuf_errors = 700 WHERE step IN (30, 40, 50);
