#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Near misses on the ground of the other scenarios: much traffic that arrives, and what looks like loss and is none.
. "$(dirname "$0")/scenario.sh"
begin
make_namespaces
configure
daemon_start
ours="netns=$(namespace_name "$receiver_keeper"),$(namespace_name "$sender_keeper")"

frames() { # OPTION...
    in_a "$TRAFFIC" frames --device a0 --mac $mac_b --from "$(address $family a)" --to "$to" --port 5000 "$@" >/dev/null
}
send() { # OPTION...
    in_a "$TRAFFIC" send --to "$to" "$@" >/dev/null
}

# Waits for the history up to now, and expects it to hold no loss.
no_loss() { # TEXT START
    local end
    end=$(now_ms)
    until_true 10 store newest-after "$end" || bail_out "the daemon has stopped storing"
    expect "$@" "$ours" losing=no lost=0
}

heavy_stream() {
    sink $receiver --to "$to" --port 5000 --rcvbuf 8000000
    run ip netns exec $sender "$TRAFFIC" send --to "$to" --port 5000 --count 40000 --rate 20000 --size 200 >/dev/null
    stream=$!
    send --port 5000 --count 1000 --rate 500 --size 20000
    wait $stream
    frames --count 500 --rate 500 --size 800
    sink_end
    equal "IPv$family: all of a heavy stream arrives" 41500 "$received"
}

# One probe for each of some ports.
scan() { send --port 6000 --ports 16 --count 16 --rate 100 --size 10; }

# Fragments that come once more, after their datagram is complete, wait for company until their time is over.
late_duplicates() {
    local before
    before=$(counter $receiver Ip${v6}ReasmTimeout)
    sink $receiver --to "$to" --port 5000 --rcvbuf 8000000
    frames --count 2000 --rate 2000 --size 5000 --mtu 1500
    frames --count 15 --rate 100 --size 5000 --mtu 1500 --again 1
    until_true 5 grep -q "^FRAG$v6: inuse 0 " "/proc/$receiver_keeper/net/sockstat$v6"
    sink_end
    equal "IPv$family: all datagrams arrive whose fragments came twice" 2015 "$received"
    equal "IPv$family: and the kernel counts them as timeouts" 15 $(($(counter $receiver Ip${v6}ReasmTimeout) - before))
}

near_miss() { # TEXT TRAFFIC-COMMAND
    local start
    start=$(now_ms)
    for family in $families; do
        v6=${family#4}
        to=$(address $family b)
        $2
    done
    no_loss "$1" "$start"
}

in_b sysctl -q -w net.ipv4.ipfrag_time=1
[ "$families" = 4 ] || in_b sysctl -q -w net.ipv6.ip6frag_time=1
near_miss "a heavy stream that arrives is no loss" heavy_stream
near_miss "a few datagrams for closed ports are no loss" scan
near_miss "late duplicates of fragments are no loss" late_duplicates
end
