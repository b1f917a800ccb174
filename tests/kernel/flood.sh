#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A socket with a small buffer, flooded on loopback: named within three seconds with the kernel's own count, an alert
# begins, and ends when the flood does.
. "$(dirname "$0")/scenario.sh"
. "$here/journal.sh"
begin
make_namespaces
ip -n $receiver address add 10.77.9.1/32 dev lo
configure 'clear = 3s'

count() { counter $receiver Udp${v6}RcvbufErrors; }
flood() { in_b "$TRAFFIC" send --to "$to" --port 5000 --count 20000 --size 64; }
stream() { in_b "$TRAFFIC" send --to "$to" --port 5000 --count 60000 --rate 2000 --size 64 --seconds 30; }

alert_is() { # begun|ended
    udpdiag alerts --json >"$folder/alerts.json" 2>"$folder/alerts.err"
    "$here/expect_alert.py" "$folder/alerts.json" "$1" locus=socket-queue "$ours"
}

elapsed_ms() { echo $(($(now_ms) - $1)); }

flooded() {
    local start=$1
    lose "IPv$family: a flooded socket is a full socket queue, with the kernel's count" 5000 count flood \
        "$ours" locus=socket-queue:%N only=socket-queue verdict=causes
}

for family in $families; do
    v6=${family#4}
    to=127.0.0.1
    [ $family = 4 ] || to=::1
    daemon_start
    ours="netns=$(namespace_name "$receiver_keeper")"
    sink $receiver --to "$to" --port 5000 --rcvbuf 4096 --never-read
    start=$(now_ms)
    flooded
    daemon_stop
done
end
