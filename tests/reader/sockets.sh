#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Sockets that are too small, shared or filtered, and readers that would keep up: the first cause is what is wrong with the
# socket, beside others that only look like it.
. "$(dirname "$0")/ground.sh"
begin_readers seq

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

# One flow always gets to the same socket; many flows get to all of them.
flows() {
    local flow flows=()
    for flow in {1..16}; do
        send --port 46104 --rate 500 --count 1000 &
        flows+=($!)
    done
    send --port 46103 --rate 4000 --count 8000
    wait "${flows[@]}"
}
reader group --threads 4 --work 400 --port 46103 --name udt-one-flow
one=$reader_pid
reader group --threads 4 --work 1500 --port 46104 --name udt-all-full
all=$reader_pid
observe flows 46103 46104
blames "a group of sockets that one flow hits" 46103 first=reuseport-imbalance who=$one/udt-one-flow explains=%M..%N
blames "a group whose sockets are all full" 46104 never=reuseport-imbalance
balances socket-queue
stop $one $all

# Eight threads that take turns hand over for each datagram; who they are is seen while they wait. A socket with many
# holders, of which one reads, is not shared.
shared_stream() {
    local other
    send --port 46106 --rate 4000 --count 8000 &
    other=$!
    send --port 46105 --rate 80000 --count 120000
    send --port 46105 --rate 200 --count 200
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
