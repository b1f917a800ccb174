-- Many flows of one source: queues are flushed although the memory is nearly empty.
UPDATE snmp SET ip_reasm_reqds = 6000, ip_reasm_oks = 900, ip_reasm_fails = 200,
    ip_reasm_timeout = 100 WHERE netns = 'host';
UPDATE sockstat SET frag_inuse = 60, frag_memory_bytes = 300000;
