#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Readers that are kept from reading: the first cause is why, with port, process and name; beside each is another that is
# not to be taken for it.
. "$(dirname "$0")/ground.sh"
begin_readers taskset nice renice
[ $last_cpu != 0 ] || skip_all "needs two CPUs: on one, whoever sends takes it from who reads"

stream() { send --port $port --ports 2 --rate 10000 --count 20000; }

port=46001
reader never --port 46001 --name udt-never
never=$reader_pid
reader work --work 1000 --port 46002 --name udt-slow
observe stream 46001 46002
blames "a reader that never reads" 46001 alone=reader-not-reading who=$never/udt-never explains=%N
blames "one that computes too long for each datagram" 46002 alone=reader-cpu-bound who=$reader_pid/udt-slow explains=%M..%N
balances socket-queue
stop $never $reader_pid

# A stop for less than its buffer lasts does no harm.
stream_with_short_stops() {
    local pace
    send --port 46004 --rate 200 --count 400 &
    pace=$!
    for _ in 1 2 3 4 5; do
        kill -STOP $short
        sleep 0.1
        kill -CONT $short
    done &
    send --port 46003 --rate 5000 --count 10000
    wait $pace
}
reader work --port 46003 --name udt-stopped
stopped=$reader_pid
reader work --port 46004 --name udt-short
short=$reader_pid
kill -STOP $stopped
observe stream_with_short_stops 46003 46004
blames "a reader that is stopped" 46003 alone=reader-stopped who=$stopped/udt-stopped explains=%N \
    says="reader-stopped/kill -CONT $stopped"
spares "a reader that is stopped for a moment" 46004
balances socket-queue
stop $stopped $short

# The hog leaves it a moment every now and then; in between it waits for longer than a step.
port=46005
start taskset -c $last_cpu nice -n 20 "$READER" work --port 46005 --name udt-starved
starved=$reader_pid
reader work --port 46006 --name udt-fed
fed=$reader_pid
start taskset -c $last_cpu nice -n -5 "$READER" hog --name udt-hog
hog=$reader_pid
observe stream 46005 46006
blames "a reader whose CPU others take" 46005 alone=reader-cpu-starved who=$starved/udt-starved explains=%M..%N \
    says=reader-cpu-starved/udt-hog says="reader-cpu-starved/taskset"
spares "a reader on another CPU" 46006
balances socket-queue
stop $hog $starved $fed

port=46007
if group cpu quota cpu.stat && quota 10; then
    own=$group
    group cpu parent cpu.stat && quota 10
    parent=$group
    undo_later rmdir "$parent/child"
    mkdir -p "$parent/child"
    start inside "$own" "$READER" work --work 50 --port 46007 --name udt-quota
    throttled=$reader_pid
    start inside "$parent/child" "$READER" work --work 50 --port 46008 --name udt-child
    observe stream 46007 46008
    blames "a reader that its CPU quota stops" 46007 alone=reader-throttled who=$throttled/udt-quota explains=%M..%N
    blames "one that the quota of its parent stops" 46008 alone=reader-throttled who=$reader_pid/udt-child \
        explains=%M..%N says=reader-throttled/udt-reader-parent
    balances socket-queue
    stop $throttled $reader_pid
else
    skip "a reader that its CPU quota stops" "this host has no CPU controller of cgroups"
fi

# The other one holds the same kind of lock as long, and is not sent more than its buffer holds.
stream_and_trickle() {
    local trickle
    send --port 46010 --rate 100 --count 200 &
    trickle=$!
    send --port 46009 --rate 5000 --count 10000
    wait $trickle
}
reader lock --every 200 --port 46009 --name udt-lock
locked=$reader_pid
reader lock --every 200 --port 46010 --name udt-patient
observe stream_and_trickle 46009 46010
blames "a reader that sleeps in a lock" 46009 alone=reader-blocked-other who=$locked/udt-lock explains=%M..%N \
    says=reader-blocked-other/futex
spares "one that sleeps as long, and has a small queue" 46010
balances socket-queue
stop $locked $reader_pid
end
