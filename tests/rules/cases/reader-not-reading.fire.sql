-- base   reader
-- A program bound the port and forgot it; it waits for other things, and all that comes is lost.
UPDATE process SET comm = 'avahi-helper', unit = 'helper.service', state = 'S', wait_channel = 'ep_poll', run_us = 500, user_us = 0, system_us = 0, delay_us = 10, switches_voluntary = 1,
    switches_involuntary = 0, write_bytes = 0, reader_run_permille = 0, hottest_run_permille = 0, readers = 0, looks_running = 0, looks_sleeping = 20, looks_receiving = 20
WHERE pid = 812;
UPDATE socket SET drops = 350, looks_full = 20, looks_empty = 0, queue_bytes = 212160, rmem_bytes = 212160, queue_peak_bytes = 212160;
UPDATE snmp SET udp_in_errors = 350, udp_rcvbuf_errors = 350;
