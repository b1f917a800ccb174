-- Conntrack reassembles IPv6: nothing but time-outs is counted, so both causes stay possible.
UPDATE snmp SET ip6_reasm_timeout = 20, ip6_reasm_fails = 20 WHERE netns = 'host' AND step > 30;
UPDATE sysctl SET nf_conntrack_frag6_high_thresh_bytes = 262144, nf_conntrack_frag6_low_thresh_bytes = 196608,
    nf_conntrack_frag6_timeout_s = 60;
