#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Near misses on the ground of the other scenarios: much traffic that arrives, and what looks like loss and is none.
. "$(dirname "$0")/scenario.sh"
begin
make_namespaces
configure
daemon_start
ours="netns=$(namespace_name "$receiver_keeper"),$(namespace_name "$sender_keeper")"
losses=socket-queue-overflow,rcvbuf-burst,reader-cpu-bound,no-listener,checksum-bad,malformed-datagrams,frag-memory
losses=$losses,frag-lost,frag-too-far,frag-overlap,rp-filter,sndbuf-full,qdisc-overflow,backlog-overflow

frames() { # OPTION...
    in_a "$TRAFFIC" frames --device a0 --mac $mac_b --from "$(address $family a)" --to "$to" --port 5000 "$@" >/dev/null
}
send() { # OPTION...
    in_a "$TRAFFIC" send --to "$to" "$@" >/dev/null
}

# Waits for the history up to now, and expects it to hold no loss.
no_loss() { # TEXT START CHECK...
    local end
    end=$(now_ms)
    until_true 10 store newest-after "$end" || bail_out "the daemon has stopped storing"
    expect "$@" "$ours" losing=no lost=0 never=$losses
}

for family in $families; do
    v6=${family#4}
    to=$(address $family b)

    start=$(now_ms)
    sink $receiver --to "$to" --port 5000 --rcvbuf 8000000
    run ip netns exec $sender "$TRAFFIC" send --to "$to" --port 5000 --count 40000 --rate 20000 --size 200 >/dev/null
    stream=$!
    send --port 5000 --count 1000 --rate 500 --size 20000
    wait $stream
    frames --count 500 --rate 500 --size 800
    sink_end
    equal "IPv$family: all of a heavy stream arrives" 41500 "$received"
    no_loss "IPv$family: a heavy stream that arrives is no loss" "$start"

    # One probe for each of many ports.
    start=$(now_ms)
    send --port 6000 --ports 16 --count 16 --rate 20 --size 10
    no_loss "IPv$family: a few datagrams for closed ports are no loss" "$start"

    # Fragments that come once more, after their datagram is complete, wait for company until their time is over.
    if [ $family = 4 ]; then in_b sysctl -q -w net.ipv4.ipfrag_time=1; else in_b sysctl -q -w net.ipv6.ip6frag_time=1; fi
    start=$(now_ms)
    before=$(counter $receiver Ip${v6}ReasmTimeout)
    sink $receiver --to "$to" --port 5000 --rcvbuf 8000000
    frames --count 2000 --rate 2000 --size 5000 --mtu 1500
    frames --count 50 --rate 100 --size 5000 --mtu 1500 --again 1
    until_true 5 grep -q "^FRAG$v6: inuse 0 " "/proc/$receiver_keeper/net/sockstat$v6"
    sink_end
    equal "IPv$family: all datagrams arrive whose fragments came twice" 2050 "$received"
    equal "IPv$family: and the kernel counts them as timeouts" 50 $(($(counter $receiver Ip${v6}ReasmTimeout) - before))
    no_loss "IPv$family: late duplicates of fragments are no loss" "$start"
done
end
