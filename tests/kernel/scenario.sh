# SPDX-License-Identifier: GPL-2.0-or-later
# Scenario ground
#
# Sourced by the scenarios: two network namespaces joined by a veth pair (a0 of udt-kernel-a, b0 of
# udt-kernel-b), a daemon of this build with a database of its own, and TAP output. Everything made here is
# undone on exit, and what a killed run left behind is removed by the next. UDPDIAG, UDPDIAGD and TRAFFIC name the
# programs.
set -u
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-halt_on_error=1}

here=$(cd "$(dirname "$0")" && pwd)
sender=udt-kernel-a
receiver=udt-kernel-b
mac_b=02:00:00:00:00:0b
folder=
daemon_pid=
declare -a started=()
tests=0
failures=0

ok() { # TEXT
    tests=$((tests + 1))
    echo "ok $tests - $1"
}

not_ok() { # TEXT
    tests=$((tests + 1))
    failures=$((failures + 1))
    echo "not ok $tests - $1"
}

skip() { # TEXT REASON
    tests=$((tests + 1))
    echo "ok $tests - $1 # SKIP $2"
}

is() { # TEXT COMMAND...: ok if it succeeds; what it prints becomes a comment when it fails
    local text=$1 said
    shift
    if said=$("$@" 2>&1); then
        ok "$text"
    else
        not_ok "$text"
        [ -z "$said" ] || printf '%s\n' "$said" | sed 's/^/# /'
    fi
}

equal() { # TEXT EXPECTED FOUND
    if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1: expected $2, found $3"; fi
}

skip_all() { # REASON
    echo "1..0 # SKIP $1"
    exit 0
}

bail_out() { # TEXT
    echo "Bail out! $1"
    exit 1
}

finish() { # the EXIT trap
    local status=$? pid
    trap - EXIT INT TERM HUP
    for pid in "${started[@]}"; do
        kill "$pid" 2>/dev/null
    done
    wait 2>/dev/null
    [ -z "$folder" ] || { umount "$folder"/* 2>/dev/null; rm -rf --one-file-system "$folder"; }
    [ "$status" = 0 ] && [ "$failures" -gt 0 ] && status=1
    exit "$status"
}

# Runs the script once more in a mount namespace of its own: the names of its network namespaces and what it mounts
# exist only there, and are gone with its last process, however it ends. One scenario at a time, because of the
# sysctls of the whole host.
begin() { # TOOL...: what it needs besides the usual
    local tool
    [ "$(id -u)" = 0 ] || skip_all "needs root: network namespaces, packet sockets"
    for tool in ip flock python3 nstat sysctl unshare "$@"; do
        command -v "$tool" >/dev/null || skip_all "needs $tool"
    done
    if [ -z "${UDT_KERNEL:-}" ]; then
        unshare --mount true 2>/dev/null || skip_all "mount namespaces are refused here"
        UDT_KERNEL=inside exec unshare --mount "$BASH" "$0"
    fi
    mkdir -p /run/netns
    mount -t tmpfs -o size=1m tmpfs /run/netns || skip_all "mounting is refused here"
    exec 9>/run/udt-kernel.lock
    flock -w 200 9 || skip_all "another run holds /run/udt-kernel.lock"
    rm -rf --one-file-system /tmp/udt-kernel-??????
    folder=$(mktemp -d /tmp/udt-kernel-XXXXXX)
    trap finish EXIT
    trap 'exit 130' INT TERM HUP
}

end() {
    [ -z "$daemon_pid" ] || daemon_stop
    echo "1..$tests"
    exit 0
}

run() { # PROGRAM ARGUMENT...: in the background, ended at exit; its pid is $!
    "$@" 9>&- &
    started+=($!)
}

in_netns() { # NAMESPACE|host COMMAND...
    local ns=$1
    shift
    if [ "$ns" = host ]; then "$@"; else ip netns exec "$ns" "$@"; fi
}
in_a() { in_netns $sender "$@"; }
in_b() { in_netns $receiver "$@"; }

# A process whose name is the namespace's: udpdiag sees a namespace through a process that lives there.
keep() { # NAMESPACE
    ln -sf "$(command -v sleep)" "$folder/$1"
    run ip netns exec "$1" "$folder/$1" 200
    keeper=$!
}

make_namespaces() {
    ip netns add $sender && ip netns add $receiver ||
        skip_all "this kernel refuses network namespaces here"
    ip -n $sender link add a0 address 02:00:00:00:00:0a type veth peer name b0 address $mac_b netns $receiver ||
        skip_all "this kernel has no veth"
    local ns
    for ns in $sender $receiver; do
        ip netns exec $ns sysctl -q -w net.ipv6.conf.default.accept_dad=0 net.ipv6.conf.all.accept_dad=0 2>/dev/null
        ip -n $ns link set lo up
        keep $ns
        [ $ns != $sender ] || sender_keeper=$keeper
    done
    receiver_keeper=$keeper
    connect a0 b0 1 "$mac_b" 02:00:00:00:00:0a
    families=4
    [ ! -e /proc/net/if_inet6 ] || families='4 6'
}

# Addresses 10.77.N.1 and .2, fd77:N::1 and ::2, with fixed neighbours: nothing has to be resolved.
connect() { # A-INTERFACE B-INTERFACE N MAC-B MAC-A
    ip -n $sender address add 10.77.$3.1/24 dev $1
    ip -n $receiver address add 10.77.$3.2/24 dev $2
    ip -n $sender -6 address add fd77:$3::1/64 dev $1 nodad 2>/dev/null
    ip -n $receiver -6 address add fd77:$3::2/64 dev $2 nodad 2>/dev/null
    ip -n $sender link set $1 up
    ip -n $receiver link set $2 up
    ip -n $sender neighbour replace 10.77.$3.2 lladdr $4 dev $1
    ip -n $receiver neighbour replace 10.77.$3.1 lladdr $5 dev $2
    ip -n $sender -6 neighbour replace fd77:$3::2 lladdr $4 dev $1 2>/dev/null
    ip -n $receiver -6 neighbour replace fd77:$3::1 lladdr $5 dev $2 2>/dev/null
}

address() { # 4|6 a|b: the address of that end
    case $1$2 in
        4a) echo 10.77.1.1 ;;
        4b) echo 10.77.1.2 ;;
        6a) echo fd77:1::1 ;;
        6b) echo fd77:1::2 ;;
    esac
}

counter() { # NAMESPACE NAME...: the sum of these counters, by the kernel's names as nstat has them
    local ns=$1
    shift
    in_netns "$ns" nstat -asz "$@" 2>/dev/null | awk 'NR > 1 { n += $2 } END { printf "%d\n", n }'
}

# Waits until a command succeeds, looking every 20 ms.
until_true() { # SECONDS COMMAND...
    local limit=$(($(date +%s) + $1))
    shift
    until "$@"; do
        [ "$(date +%s)" -le "$limit" ] || return 1
        sleep 0.02
    done
}

sink() { # NAMESPACE OPTION...: a receiver in the background, ready when this returns; it says what it received in $folder/sink
    local enter="ip netns exec $1"
    [ "$1" != host ] || enter=
    shift
    : >"$folder/sink"
    run $enter "$TRAFFIC" sink --count 2000000 --seconds 100 "$@" >"$folder/sink"
    sink_pid=$!
    until_true 5 grep -q ready "$folder/sink"
}

sink_end() { # sets $received
    kill "$sink_pid" 2>/dev/null
    wait "$sink_pid" 2>/dev/null
    received=$(sed -n 's/.*"received": \([0-9]*\).*/\1/p' "$folder/sink")
}

# Repeats a burst until the kernel itself has counted the loss. Sets $grown: by how much.
provoke() { # LEAST COUNT-COMMAND BURST-COMMAND
    local least=$1 before round
    before=$($2)
    grown=0
    for round in $(seq 20); do
        $3 >/dev/null || return 1
        grown=$(($($2) - before))
        [ "$grown" -lt "$least" ] || return 0
    done
    return 1
}

now_ms() { date +%s%3N; }

udpdiag() { "$UDPDIAG" --config "$folder/udpdiag.conf" "$@"; }

configure() { # LINE...: the daemon's configuration, besides the database in this folder
    mkdir -p "$folder/alert.d" "$folder/rules.d"
    {
        printf '[store]\ndatabase = %s\n' "$folder/udpdiag.db"
        printf '[rules]\ndirectory = %s\n[alert]\ndirectory = %s\n' "$folder/rules.d" "$folder/alert.d"
        printf '%s\n' "$@"
    } >"$folder/udpdiag.conf"
}

store() { "$here/store.py" "$folder/udpdiag.db" "$@"; }

daemon_start() { # [WORD]: anything: with the journal of journal_start() for its standard error, as a service has it
    local command='exec "$@"'
    [ -z "${1:-}" ] || command='JOURNAL_STREAM=$(stat -Lc %d:%i /dev/stderr) exec "$@"'
    # Should this script be killed, the daemon ends by itself.
    run ${1:+systemd-cat} sh -c "$command" sh "$UDPDIAGD" --config "$folder/udpdiag.conf" --steps 300 \
        >>"$folder/daemon.log" 2>&1
    daemon_pid=$!
    until_true 15 store newest-after "$(now_ms)" || {
        sed 's/^/# /' "$folder/daemon.log"
        bail_out "the daemon stored no sample"
    }
}

daemon_stop() {
    local status
    kill "$daemon_pid"
    wait "$daemon_pid" 2>/dev/null
    status=$?
    daemon_pid=
    equal "the daemon ends well" 0 $status
    [ $status = 0 ] || sed 's/^/# /' "$folder/daemon.log"
}

# The name that the daemon gives to the namespace of a process.
namespace_name() { # PID
    store netns "$(stat -Lc %i "/proc/$1/ns/net")"
}

seconds() { printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)); }

# What the daemon's history says about the time since START (wall clock in ms), into $folder/why.json.
why_since() { # START
    udpdiag why --json --since "@$(seconds "$1")" >"$folder/why.json" 2>"$folder/why.err"
    why_status=$?
}

why_shows() { # START CHECK...
    why_since "$1"
    shift
    "$here/expect.py" "$folder/why.json" "$@" >"$folder/differences" 2>&1
}

# Asks until the answer is the expected one: samples are stored up to five seconds late, and limits are read every ten.
patience=8
expect() { # TEXT START CHECK...
    local text=$1 asked
    shift
    asked=$(now_ms)
    if until_true $patience why_shows "$@"; then
        ok "$text"
        waited_ms=$(($(now_ms) - asked))
        echo "# known after $waited_ms ms"
    else
        not_ok "$text"
        cat "$folder/differences" "$folder/why.err" | sed 's/^/# /'
        return 1
    fi
}

# Makes a loss and expects an answer to it; the count is the kernel's, so that %N in a check is what the kernel says.
lose() { # TEXT LEAST COUNT-COMMAND BURST-COMMAND CHECK...
    local text=$1 start
    start=$(now_ms)
    if provoke "$2" "$3" "$4"; then
        shift 4
        expect "$text" "$start" "${@//%N/$grown}"
    else
        not_ok "$text: the loss could not be provoked, the kernel counted $grown"
    fi
}
