#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Sockets that are too small, shared or filtered, and readers that would keep up: the first cause is what is wrong with the
# socket, beside others that only look like it.
. "$(dirname "$0")/ground.sh"
begin_readers taskset nice

# Bursts of more than a small buffer holds. How many are lost depends on when the reader is woken.
bursts() { # PORT [COUNT]
    local each
    for each in {1..10}; do
        send --port "$1" --count "${2:-400}"
        sleep 0.2
    done
}
small_bursts() { bursts 46102 10 & bursts 46101; wait $!; }

reader work --rcvbuf 8192 --port 46101 --name udt-bursts
bursty=$reader_pid
reader work --rcvbuf 8192 --port 46102 --name udt-fits
observe small_bursts 46101 46102
blames "bursts that do not fit" 46101 alone=rcvbuf-burst who=$bursty/udt-bursts explains=%M..%N \
    evidence=rcvbuf-burst/rcvbuf_bytes:16384
spares "bursts that fit" 46102
balances socket-queue
stop $bursty $reader_pid

# What is proposed cures it.
asked=$("$blame" "$folder/why.json" port=46101 number='rcvbuf-burst/ask for [^(]*\(([0-9]+)')
reader work --force "${asked:-1}" --port 46101 --name udt-cured
bursts 46101
equal "with a buffer of the size proposed (${asked:-none}) nothing is lost" 0 "$(dropped 46101)"
stop $reader_pid

# One that asked for more than it got: the sender on its CPU comes first, so that a burst is there before it is read.
big_bursts() {
    local each
    for each in {1..8}; do
        taskset -c $last_cpu "$TRAFFIC" send --to $host --port 46111 --count 2000 --size 100
        sleep 0.2
    done >/dev/null
}
rmem_max=$(</proc/sys/net/core/rmem_max)
undo_later sh -c "echo $rmem_max >/proc/sys/net/core/rmem_max"
echo 212992 >/proc/sys/net/core/rmem_max
start taskset -c $last_cpu nice -n 25 "$READER" work --rcvbuf 1000000 --port 46111 --name udt-clamped
observe big_bursts 46111
echo $rmem_max >/proc/sys/net/core/rmem_max
blames "a buffer that rmem_max cut short" 46111 first=rcvbuf-clamped who=$reader_pid/udt-clamped explains=%M..%N \
    says=rcvbuf-clamped/net.core.rmem_max=
balances socket-queue
stop $reader_pid

# One flow always gets to the same socket; many flows get to all of them.
one_flow() { send --port 46103 --rate 4000 --count 8000; }
reader group --threads 4 --work 400 --port 46103 --name udt-one-flow
observe one_flow 46103
blames "a group of sockets that one flow hits" 46103 first=reuseport-imbalance who=$reader_pid/udt-one-flow \
    explains=%M..%N never=reader-overload
balances socket-queue
stop $reader_pid

many_flows() {
    local flows=()
    for _ in {1..16}; do
        send --port 46104 --rate 500 --count 1000 &
        flows+=($!)
    done
    wait "${flows[@]}"
}
reader group --threads 4 --work 1500 --port 46104 --name udt-many-flows
observe many_flows 46104
blames "a group of sockets that many flows hit" 46104 first=reader-overload who=$reader_pid/udt-many-flows \
    explains=%M..%N never=reuseport-imbalance,reader-cpu-bound
balances socket-queue
stop $reader_pid

# Eight threads that take turns hand over for each datagram; who they are is seen while they wait. A socket with many
# holders, of which one reads, is not shared.
shared_stream() {
    local other
    send --port 46106 --rate 4000 --count 8000 &
    other=$!
    send --port 46105 --rate 80000 --count 120000
    send --port 46105 --rate 1000 --count 1000
    wait $other
}
reader share --threads 8 --port 46105 --name udt-eight
eight=$reader_pid
reader heirs --threads 3 --work 400 --port 46106 --name udt-heirs
heirs=$reader_pid
observe shared_stream 46105 46106
blames "a socket that eight threads share" 46105 first=shared-socket-contention who=$eight/udt-eight explains=%M..%N
blames "one that others hold too, but do not read" 46106 never=shared-socket-contention
balances socket-queue
stop $eight $heirs

filtered() {
    local other
    send --port 46108 --rate 1000 --count 2000 &
    other=$!
    send --port 46107 --rate 1000 --count 2000 &
    send --port 46107 --rate 1000 --count 2000 --size 300
    wait $other $!
}
reader filter --port 46107 --name udt-filter
filter=$reader_pid
reader filter --port 46108 --name udt-passes
observe filtered 46107 46108
blames "a socket filter that refuses some" 46107 alone=socket-filter who=$filter/udt-filter explains=%N
spares "a socket filter that lets all pass" 46108
balances socket-filter
stop $filter $reader_pid

# Both families; IPv4 to a socket of IPv6 is counted as IPv4. And a limit that is not the host's.
families() {
    local each others=()
    send --to ::1 --port 46112 --rate 4000 --count 8000 &
    others+=($!)
    send --port 46114 --rate 4000 --count 8000 &
    others+=($!)
    send --port 46113 --rate 4000 --count 8000
    wait "${others[@]}"
}
limited=
if group memory limit memory.kmem.tcp.limit_in_bytes; then
    echo 262144 >"$group/memory.kmem.tcp.limit_in_bytes"
    start inside "$group" "$READER" never --force 8000000 --port 46114 --name udt-limited
    limited=$reader_pid
else
    reader never --port 46114
fi
reader never --on ::1 --port 46112 --name udt-six
six=$reader_pid
reader never --on :: --port 46113 --name udt-both
observe families 46112 46113 46114
blames "a socket of IPv6" 46112 alone=reader-not-reading who=$six/udt-six explains=%N
blames "a socket of both families" 46113 alone=reader-not-reading who=$reader_pid/udt-both explains=%N
if [ -n "$limited" ]; then
    blames "a cgroup whose sockets hold all they may" 46114 first=cgroup-socket-memory never=udp-memory \
        who=$limited/udt-limited explains=%M..%N
else
    skip "a cgroup whose sockets hold all they may" "no such limit here"
fi
stop $six $reader_pid ${limited:-}

# The limit is the whole host's: a little above what is in use, and not for a moment longer than needed.
exhaust() {
    local limits used
    limits=$(</proc/sys/net/ipv4/udp_mem)
    used=$(awk '/^UDP:/ { print $5 }' /proc/net/sockstat)
    undo_later sh -c "echo $limits >/proc/sys/net/ipv4/udp_mem"
    echo "$((used + 300)) $((used + 400)) $((used + 500))" >/proc/sys/net/ipv4/udp_mem
    send --port 46109 --rate 5000 --count 10000
    echo "$limits" >/proc/sys/net/ipv4/udp_mem
}
reader never --force 8000000 --port 46109 --name udt-hoard
hoard=$reader_pid
reader work --port 46110 --name udt-modest
observe exhaust 46109 46110
blames "UDP memory that is used up" 46109 first=udp-memory who=$hoard/udt-hoard explains=%M..%N
spares "a socket that holds nothing" 46110
balances udp-memory
stop $hoard $reader_pid
end
