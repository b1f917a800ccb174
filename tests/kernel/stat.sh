#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# `udpdiag stat` says what netstat -su and nstat -az say, number by number, after traffic that moved them.
. "$(dirname "$0")/scenario.sh"
begin
make_namespaces
configure

frames() { # OPTION...
    in_a "$TRAFFIC" send --device a0 --mac $mac_b --from "$(address $family a)" --to "$to" "$@"
}

move_counters() {
    sink $receiver --to "$to" --port 5000 --rcvbuf 8000000
    in_a "$TRAFFIC" send --to "$to" --port 5000 --count 1234 --rate 10000 --size 64
    in_a "$TRAFFIC" send --to "$to" --port 5000 --count 56 --rate 1000 --size 20000
    frames --port 5000 --count 78 --rate 1000 --size 64 --bad-checksum
    frames --port 5000 --count 9 --rate 1000 --size 5000 --mtu 1500 --skip 1
    in_b "$TRAFFIC" send --to "$to" --port 5099 --count 23 --rate 1000 --size 64
    sink_end
    sink $receiver --to "$to" --port 5000 --rcvbuf 4096 --never-read
    in_b "$TRAFFIC" send --to "$to" --port 5000 --count 345 --size 64
    sink_end
}

# The kernel's numbers, twice the same with udpdiag's in between: nothing moved meanwhile.
look() { # PROGRAM ARGUMENT...
    in_b nstat -asz -j >"$folder/nstat"
    "$@" >"$folder/stat" 2>"$folder/stat.err"
    : >"$folder/netstat"
    cp "$folder/netstat" "$folder/netstat6"
    if command -v netstat >/dev/null; then
        in_b netstat -s --udp -4 >"$folder/netstat"
        in_b netstat -s --udp -6 >"$folder/netstat6"
    fi
    in_b nstat -asz -j | cmp -s - "$folder/nstat"
}
agrees() {
    "$here/compare_stat.py" "$folder/stat" "$folder/nstat" "$folder/netstat" "$folder/netstat6" >"$folder/compared"
    local status=$?
    sed 's/^/# /' "$folder/compared" "$folder/stat.err"
    return $status
}

for family in $families; do
    to=$(address $family b)
    move_counters >/dev/null
done

until_true 10 look udpdiag stat --once --all --json --netns $receiver || bail_out "the counters do not rest"
if agrees; then ok "stat --netns agrees with nstat and netstat in there"; else not_ok "stat --netns agrees with nstat and netstat in there"; fi
command -v netstat >/dev/null || skip "netstat" "needs netstat"

until_true 10 look ip netns exec $receiver "$UDPDIAG" stat --once --all --json || bail_out "the counters do not rest"
if agrees; then ok "stat inside a namespace shows the counters of this one"; else not_ok "stat inside a namespace shows the counters of this one"; fi
end
