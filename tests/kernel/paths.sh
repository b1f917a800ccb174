#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Each kind of loss on the way from a veth to a socket, provoked alone, is named alone, and its count is the kernel's.
. "$(dirname "$0")/scenario.sh"
begin
make_namespaces
configure
daemon_start
ours="netns=$(namespace_name "$receiver_keeper")"

sysctl_b() { in_b sysctl -q -w "$@"; }
count() { counter $receiver "$counted"; }

frames() { # OPTION...
    in_a "$TRAFFIC" frames --device a0 --mac $mac_b --from "$(address $family a)" --to "$to" "$@"
}
send() { # NAMESPACE OPTION...
    local from=$1
    shift
    ip netns exec "$from" "$TRAFFIC" send --to "$to" "$@"
}

closed_port() { send $sender --port 5099 --count 6000 --rate 2000 --size 64; }
closed_port_local() { send $receiver --port 5098 --count 600 --rate 300 --size 64; }
bad_short() { frames --port 5001 --count 600 --rate 400 --size 48 --bad-checksum; }
bad_long() { frames --port 5000 --count 600 --rate 400 --size 1000 --bad-checksum; }
too_big() { send $sender --port 5000 --count 90 --rate 30 --size 60000; }
wrong_way() { frames --port 5000 --count 900 --rate 300 --size 64 --from 10.77.2.1; }
left_out() {
    frames --port 5000 --count 300 --rate 200 --size 6000 --mtu 1500 --skip 2
    until_true 10 no_fragments_wait
}
no_fragments_wait() { grep -q "^FRAG$v6: inuse 0 " "/proc/$receiver_keeper/net/sockstat$v6"; }

fragment_limits() { # HIGH LOW SECONDS
    # Neither limit may cross the other on the way.
    sysctl_b net.$name.${prefix}_low_thresh=1 net.$name.${prefix}_high_thresh="$1" \
        net.$name.${prefix}_low_thresh="$2" net.$name.${prefix}_time="$3"
}

no_listener() {
    counted=Udp${v6}NoPorts
    lose "IPv$family: a closed port under a steady stream is no-listener" 1000 count closed_port \
        "$ours" alone=no-listener locus=no-listener:%N only=no-listener
    lose "IPv$family: a local sender to a closed port is no-listener" 300 count closed_port_local \
        "$ours" alone=no-listener locus=no-listener:%N only=no-listener
}

checksum() {
    counted=Udp${v6}InCsumErrors
    lose "IPv$family: bad checksums, seen on arrival, are checksum-bad" 300 count bad_short \
        "$ours" alone=checksum-bad locus=checksum:%N only=checksum
    sink $receiver --to "$to" --port 5000 --rcvbuf 4000000
    lose "IPv$family: bad checksums, seen on reading, are checksum-bad" 300 count bad_long \
        "$ours" alone=checksum-bad locus=checksum:%N only=checksum
    sink_end
}

fragments() {
    local name=ipv4 prefix=ipfrag
    [ $family = 4 ] || name=ipv6 prefix=ip6frag
    sink $receiver --to "$to" --port 5000 --rcvbuf 4000000
    fragment_limits 300000 200000 4
    too_big >/dev/null
    sink_end
    equal "IPv$family: large datagrams arrive while the limit suffices for one" 90 "$received"

    fragment_limits 65536 60000 4
    counted=Ip${v6}ReasmFails
    patience=15 lose "IPv$family: fragments against a low limit are frag-memory" 1000 count too_big \
        "$ours" alone=frag-memory locus=reassembly:85..100 only=reassembly \
        evidence=frag-memory/threshold_bytes:65536 says="frag-memory/net.$name.${prefix}_high_thresh=65536"
    until_true 10 no_fragments_wait
    next_step

    fragment_limits $((4 << 20)) $((3 << 20)) 1
    counted=Ip${v6}ReasmTimeout
    lose "IPv$family: the same with one fragment left out is frag-lost" 300 count left_out \
        "$ours" alone=frag-lost locus=reassembly:%N only=reassembly
}

for family in $families; do
    v6=${family#4}
    to=$(address $family b)
    no_listener
    checksum
    fragments
done
[ "$families" = '4 6' ] || skip "the same over IPv6" "this kernel has no IPv6"

# IPv6 has no rp_filter.
family=4 v6= to=$(address 4 b) counted=TcpExtIPReversePathFilter
ip -n $sender link add a1 address 02:00:00:00:01:0a type veth peer name b1 address 02:00:00:00:01:0b netns $receiver
connect a1 b1 2 02:00:00:00:01:0b 02:00:00:00:01:0a
sysctl_b net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.b0.rp_filter=1
lose "a source that would be answered through another interface is rp-filter" 300 count wrong_way \
    "$ours" alone=rp-filter locus=rp-filter:%N only=rp-filter
end
