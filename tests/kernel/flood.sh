#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A socket with a small buffer, flooded on loopback: known within three seconds with the kernel's own count; an alert
# begins, and ends after the flood, in `udpdiag alerts`, in the journal, and without a journal on standard error.
. "$(dirname "$0")/scenario.sh"
. "$here/journal.sh"
begin
make_namespaces
configure 'clear = 3s'
alert_begin=2ae1f56d97bf4b108cda4c07528bd7b2
alert_end=9153661587894dd1be04075110b4c640

count() { counter $where Udp${v6}RcvbufErrors; }
flood() { in_netns $where "$TRAFFIC" send --to "$to" --port 45999 --count 20000 --size 64; }

stored_alert() { # MATCH...
    udpdiag alerts --json >"$folder/alerts.json"
    "$here/match.py" "$folder/alerts.json" verdict.locus=socket-queue verdict.subject.netns=$where "$@"
}

# Floods until there is an alert.
flood_until_alert() {
    local limit=$((SECONDS + 15))
    until stored_alert begin=any end=null; do
        [ $SECONDS -lt $limit ] || return 1
        flood >/dev/null
    done
}

in_journal() { # MESSAGE_ID MATCH...
    local id=$1
    shift
    journal_entries "$id" >"$folder/entries"
    "$here/match.py" "$folder/entries" UDPDIAG_LOCUS=socket-queue UDPDIAG_NETNS=$where "$@"
}

known_at_once() { # FAMILY-NAME
    lose "$1: a flooded socket is a full socket queue, with the kernel's count" 10000 count flood \
        netns=$where at=socket-queue locus=socket-queue:%N counter=udp${v6}_rcvbuf_errors:%N only=socket-queue
    is "$1: and is known within 3 s" test "$waited_ms" -le 3000
    udpdiag why >"$folder/why.txt"
    is "$1: the exit status tells causes" test $? -ge 10
    is "$1: the first line tells it in words" sh -c "head -n 1 '$folder/why.txt' | grep -q 'datagrams lost'"
}

for family in $families; do
    where=$receiver
    v6=${family#4}
    to=127.0.0.1
    [ $family = 4 ] || to=::1
    rm -f "$folder"/udpdiag.db* "$folder/daemon.log"
    journal=
    if [ $family = 4 ] && journal_start; then journal=yes; fi
    daemon_start $journal

    sink $where --to "$to" --port 45999 --rcvbuf 4096 --never-read
    known_at_once "IPv$family"
    before=$(count)
    is "IPv$family: an alert begins" flood_until_alert
    flooded=$(($(count) - before))
    is "IPv$family: and ends when the flood does" until_true 20 stored_alert begin=any end=any
    is "IPv$family: with all that was lost" stored_alert end=any lost=$((grown / 2))..$((grown + flooded))
    daemon_stop
    sink_end

    if [ -n "$journal" ]; then
        is "its begin is in the journal" in_journal $alert_begin UDPDIAG_EVENT=begin PRIORITY=2..4 \
            UDPDIAG_CAUSE=any UDPDIAG_LOST=1..
        is "its end is in the journal" in_journal $alert_end UDPDIAG_EVENT=end PRIORITY=5 \
            UDPDIAG_CAUSE=any UDPDIAG_LOST=1.. UDPDIAG_SECONDS=any
        is "and nothing needs standard error" test ! -s "$folder/daemon.log"
    else
        [ $family = 6 ] || skip "the journal's fields" "$why_no_journal"
        is "without a journal its begin is on standard error" grep -q 'Alert: .*datagrams lost' "$folder/daemon.log"
        is "without a journal its end is on standard error" grep -q 'Over: .*datagrams lost' "$folder/daemon.log"
    fi
done

# The same without a daemon: whatever part of a steady stream falls into the look is lost.
family=4 v6= to=127.0.0.1
slow_flood() { in_netns $where "$TRAFFIC" send --to "$to" --port 45999 --count 20000 --rate 4000 --size 64; }
for where in $receiver host; do
    sink $where --to "$to" --port 45999 --rcvbuf 4096 --never-read
    before=$(count)
    run "$UDPDIAG" why --live 3 --json >"$folder/why.json"
    live=$!
    slow_flood >/dev/null
    wait $live
    is "a live look without a daemon tells it of $where" "$here/expect.py" "$folder/why.json" netns=$where \
        at=socket-queue locus=socket-queue:1000..$(($(count) - before)) only=socket-queue
    sink_end
done
end
