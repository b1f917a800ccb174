#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Who it was: several culprits at a time, in other namespaces, under names that were meant to confuse, after others had the same
# number or port; and what is said without the right to see.
. "$(dirname "$0")/ground.sh"
begin_readers setpriv

stream() { send --port $port --ports $ports --rate $((5000 * ports)) --count $((10000 * ports)); }

# Two faults at a time, live and in the history.
two_faults() {
    local each
    send --port 46302 --rate 5000 --count 10000 &
    for each in {1..8}; do
        send --port 46301 --count 400
        sleep 0.2
    done
    wait $!
}
configure
daemon_start
reader work --rcvbuf 8192 --port 46301 --name udt-bursts
bursty=$reader_pid
reader work --port 46302 --name udt-stopped
kill -STOP $reader_pid
observe two_faults 46301 46302
blames "two faults: the bursts" 46301 first=rcvbuf-burst who=$bursty/udt-bursts explains=%N
blames "two faults: the reader that is stopped" 46302 first=reader-stopped who=$reader_pid/udt-stopped explains=%N
balances socket-queue
history_blames() { # PORT CHECK...
    udpdiag why --json --since "@$(seconds $start_ms)" >"$folder/why.json" 2>"$folder/why.err"
    "$blame" "$folder/why.json" port="$@" >"$folder/differences"
}
is "the history has them too" until_true 8 history_blames 46302 first=reader-stopped who=$reader_pid/udt-stopped \
    explains=${lost[46302]} port=46301 who=$bursty/udt-bursts explains=${lost[46301]}
[ ! -s "$folder/differences" ] || sed 's/^/# /' "$folder/differences"
daemon_stop
stop $bursty $reader_pid

# The same port on the host and in a namespace, and a process of the namespace with each.
elsewhere() { ip netns exec udt-reader-n "$TRAFFIC" send --to 127.0.0.1 --port 46303 --rate 4000 --count 8000 >/dev/null; }
elsewhere_lost() { ip netns exec udt-reader-n ss -Huanm "sport = :46303" | sed -n 's/.*,d\([0-9]*\)).*/\1/p'; }
if ip netns add udt-reader-n && ip -n udt-reader-n link set lo up; then
    reader work --port 46303 --name udt-host
    reader never --port 46304 --name udt-host
    start ip netns exec udt-reader-n "$READER" never --on 127.0.0.1 --port 46303 --name udt-inside
    inside=$reader_pid
    observe elsewhere 46303
    lost[46303]=$(elsewhere_lost)
    blames "a socket of another namespace" 46303 netns=udt-reader-n alone=reader-not-reading who=$inside/udt-inside \
        explains=%N locus=socket-queue:%N
    is "nobody on the host is blamed for it" "$blame" "$folder/why.json" nobody=udt-host
    stop $inside
else
    skip "a socket of another namespace" "this kernel refuses network namespaces"
fi

# Names are 15 bytes of anything but 0.
port=46311 ports=4
names=($'udt\nroot 1 ok' $'\e[2J\e[31mred\a' 'udt) R 1 1 (1' $'\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff')
hostile=()
for name in "${names[@]}"; do
    reader never --port $((port + ${#hostile[@]})) --name "$name"
    hostile+=($reader_pid)
done
run "$UDPDIAG" why --live $look_seconds --all >"$folder/why.txt"
text_pid=$!
observe stream 46311 46312 46313 46314
wait $text_pid
for i in 0 1 2 3; do
    blames "a hostile name, ${names[i]@Q}" $((port + i)) alone=reader-not-reading explains=%N \
        who="${hostile[i]}/${names[i]}"
done
is "the text has no byte that a terminal acts upon" "$blame" --text "$folder/why.txt" "${hostile[@]}"
stop "${hostile[@]}"

# Another process with the same number has the same port.
port=46305
succession() {
    send --port $port --rate 5000 --count 3000
    first_lost=$(dropped $port)
    stop $first
    start "$READER" never --port $port --name udt-second --pid $first || return 1
    second=$reader_pid
    send --port $port --rate 5000 --count 4000
}
reader never --port $port --name udt-first
first=$reader_pid
observe succession $port
if [ "${second:-}" = "$first" ]; then
    second_lost=$(dropped $port)
    all_lost=$((first_lost + second_lost))
    lost[$port]=$all_lost
    blames "a process that got the number and the port of another" $port of=udt-second:$second_lost of=udt-first:0..$first_lost
    balances socket-queue
else
    skip "a process that got the number and the port of another" "the number could not be had again"
fi
stop $second

# 10,000 processes that live for a moment, each lossy and at a port that others had, beside one that stays.
port=46400 ports=1
start "$READER" swarm --threads 10000 --port 46401
swarm=$reader_pid
swarm_told=$folder/swarm
mv "$folder/ready" "$swarm_told"
reader never --port 46400 --name udt-46400
stays=$reader_pid
run "$UDPDIAG" sockets --live $look_seconds --lossy --json >"$folder/sockets.json"
list_pid=$!
observe stream 46400
wait $list_pid $swarm
is "10,000 processes lived" grep -q 'lived 10000' "$swarm_told"
blames "beside 10,000 processes, the one that stays" 46400 alone=reader-not-reading who=$stays/udt-46400 explains=%N
is "no cause names one with the port of another" "$blame" "$folder/why.json" ports_in_names=udt-
is "no socket is shown with the name of another's owner" "$blame" "$folder/sockets.json" ports_in_names=udt-
stop $stays

# Without privileges: one's own processes, and that the others could not be seen.
port=46306 ports=2
cp "$UDPDIAG" "$READER" "$folder"
chmod 755 "$folder"
nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
start "${nobody[@]}" "$folder/$(basename "$READER")" never --port 46306 --name udt-mine
mine=$reader_pid
reader never --port 46307 --name udt-yours
yours=$reader_pid
looker=("${nobody[@]}")
UDPDIAG=$folder/udpdiag observe stream 46306 46307
looker=()
blames "without privileges, an own process" 46306 alone=reader-not-reading who=$mine/udt-mine explains=%N
blames "the process of another user" 46307 together=%M..%N nobody=udt-yours
is "and it is said that it could not be seen" grep -q 'as root' "$folder/why.json"
stop $mine $yours
end
