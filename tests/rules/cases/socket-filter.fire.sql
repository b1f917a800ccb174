-- base   reader
-- The program's own filter drops half of what comes: the socket counts it, and InErrors.
UPDATE socket SET drops = 400, has_filter = 1;
UPDATE snmp SET udp_in_errors = 400;
