#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A self-test that is killed at any moment leaves nothing behind: its lab ends with it, and the next run puts back what it
# changed on the host. Two runs at once do not mix.
set -u
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-halt_on_error=1}
tests=0
failures=0
scenario=backlog-overflow # changes a sysctl of the whole host
sysctl=/proc/sys/net/core/netdev_max_backlog
journal=/run/udpdiag-lab.undo

is() { # TEXT COMMAND...
    local text=$1
    shift
    tests=$((tests + 1))
    if "$@" >/dev/null 2>&1; then
        echo "ok $tests - $text"
    else
        failures=$((failures + 1))
        echo "not ok $tests - $text"
    fi
}

until_true() { # SECONDS COMMAND...
    local limit=$(($(date +%s) + $1))
    shift
    until "$@"; do
        [ "$(date +%s)" -le "$limit" ] || return 1
        sleep 0.02
    done
}

selftest() { "$UDPDIAG" selftest "$@"; }
is_changed() { [ "$(<$sysctl)" != "$before" ]; }
is_back() { [ "$(<$sysctl)" = "$before" ]; }
is_written_down() { [ -s $journal ]; }
is_empty() { [ ! -s $journal ]; }
is_gone() { [ ! -e "/proc/$1" ]; }

[ "$(id -u)" = 0 ] || { echo "1..0 # SKIP needs root"; exit 0; }
selftest --wait 400s --json no-listener-local >/dev/null 2>&1 ||
    { echo "1..0 # SKIP no lab can be made here"; exit 0; }
before=$(<$sysctl)
# Where another user can run it.
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
chmod 755 "$copy"
cp "$UDPDIAG" "$copy/udpdiag"

for round in 1 2 3; do
    "$UDPDIAG" selftest --wait 400s $scenario >/dev/null 2>&1 &
    pid=$!
    if [ $round = 1 ]; then
        until_true 20 is_changed
    else
        sleep 0.$((RANDOM % 9 + 1))
    fi
    lab=$(pgrep -P $pid -x lab-init)
    worker=$(pgrep -P "${lab:-0}" -x lab-worker)
    [ $round != 1 ] || is "what is changed on the host is written down" is_written_down
    [ $round != 1 ] || is "a second run says that there is one" sh -c "'$UDPDIAG' selftest $scenario 2>&1 | grep -q another"
    [ $round != 1 ] || is "so does one of another user" sh -c \
        "setpriv --reuid=65534 --regid=65534 --clear-groups '$copy/udpdiag' selftest $scenario 2>&1 | grep -q another"
    kill -KILL $pid
    wait $pid 2>/dev/null
    [ -z "$lab" ] || is "round $round: its lab ends with it" until_true 5 is_gone "$lab"
    [ -z "$worker" ] || is "round $round: and all that is in it" until_true 5 is_gone "$worker"
    is "round $round: the next run goes well" selftest --wait 400s no-listener-local
    is "round $round: and has put back what was changed" is_back
    is "round $round: and nothing is left to put back" is_empty
done

"$UDPDIAG" selftest --wait 400s $scenario >/dev/null 2>&1 &
pid=$!
until_true 20 is_changed
kill -TERM $pid
wait $pid 2>/dev/null
is "one that is ended by a signal puts it back itself" is_back
echo "1..$tests"
