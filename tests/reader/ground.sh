# SPDX-License-Identifier: GPL-2.0-or-later
# Reader ground
#
# Sourced by the scenarios about readers: processes that do not read their socket in time, a sender, and a live look at both.
# What a scenario changes on the host is written down before, and is undone at its end, also when it is killed. READER
# names the program of the readers; UDPDIAG, UDPDIAGD and TRAFFIC as in the other scenarios.
. "$(dirname "$0")/../kernel/scenario.sh"
blame=$here/blame.py
here=$(cd "$here/../kernel" && pwd)
undo=/run/udt-reader.undo
host=127.0.77.1 # an address that nobody else uses
look_seconds=4

# Commands that put things back, the last one first.
undo_later() { # COMMAND...
    printf '%q ' "$@" >>$undo
    echo >>$undo
}

# Some have to wait for the end of those that they are in the way of.
undo_all() {
    local command left
    for _ in {1..20}; do
        [ -s $undo ] || break
        left=$(tac $undo | while read -r command; do
            eval "$command" >/dev/null 2>&1 || echo "$command"
        done | tac)
        printf '%s' "${left:+$left$'\n'}" >$undo
        [ -z "$left" ] || sleep 0.05
    done
    rm -f $undo
}

bury() { # the EXIT trap
    local status=$? pid
    trap - EXIT INT TERM HUP
    for pid in "${started[@]}"; do
        kill -KILL "$pid"
    done 2>/dev/null
    wait 2>/dev/null
    undo_all
    (exit $status)
    finish
}

# A process of its own sees to it that everything is put back even if this one is killed; it holds the lock until then.
begin_readers() { # TOOL...
    local level
    begin ss nsenter setsid tail tac "$@"
    undo_all
    undo_later rm -rf --one-file-system "$folder"
    trap bury EXIT
    export undo
    export -f undo_all
    (setsid "$BASH" -c 'tail -s 0.1 --pid="$1" -f /dev/null; undo_all' bash $$ >/dev/null 2>&1 </dev/null &)
    # Other work on this host would be one more cause. Where the scheduler groups by session, its group counts.
    renice -n -10 -p $$ >/dev/null
    level=$(sed -n 's/.* nice //p' "/proc/$$/autogroup" 2>/dev/null)
    [ -z "$level" ] || undo_later sh -c "echo $level >/proc/$PPID/autogroup"
    [ -z "$level" ] || echo -10 >"/proc/$$/autogroup"
    last_cpu=$(awk -F'[-,]' 'END { print $NF }' /sys/devices/system/cpu/online)
}

# Starts one and waits until it has its socket. Sets $reader_pid.
start() { # [COMMAND...] READER BEHAVIOUR OPTION...
    : >"$folder/ready"
    run "$@" >"$folder/ready"
    until_true 5 grep -q ready "$folder/ready" || return 1
    reader_pid=$(sed -n 's/^ready //p' "$folder/ready")
}

reader() { start "$READER" "$@"; } # BEHAVIOUR OPTION...

stop() { # PID...
    kill -KILL "$@" 2>/dev/null
    wait "$@" 2>/dev/null
    :
}

send() { # OPTION...
    "$TRAFFIC" send --to $host --size 100 "$@" >/dev/null
}

# The kernel's own count: drops of all sockets of a port.
dropped() { # PORT
    ss -Huanm "sport = :$1" | sed -n 's/.*,d\([0-9]*\)).*/\1/p' | awk '{ n += $1 } END { printf "%d\n", n }'
}

rcvbuf_errors() { # of this namespace
    awk '$1 == "Udp:" && n { print $n } $1 == "Udp:" { for (i = 2; i <= NF; i++) if ($i == "RcvbufErrors") n = i }' /proc/net/snmp
}

is_between_looks() { grep -q sigtimedwait "/proc/$look_pid/wchan"; }

# A live look in the background; returns after its first look at the counters. $looker: a command in front of it.
looker=()
look() {
    run "${looker[@]}" "$UDPDIAG" why --live $look_seconds --all --json >"$folder/why.json" 2>"$folder/why.err"
    look_pid=$!
    until_true 10 is_between_looks
}

# Looks while a command sends: all that is lost is lost between two looks, and there are steps before and after it. Sets
# ${lost[PORT]}, by the kernel's count, $all_lost of these, and $all_full: what the host counted as found full.
declare -A lost
observe() { # SEND-COMMAND PORT...
    local command=$1 each
    shift
    trouble=
    lost=()
    all_full=-$(rcvbuf_errors)
    for each; do
        lost[$each]=-$(dropped "$each")
    done
    start_ms=$(now_ms)
    if ! look; then
        trouble="no look"
    elif ! $command; then
        trouble="the sender failed"
    elif ! kill -0 $look_pid; then
        trouble="the look ended before the traffic did"
    fi
    all_lost=0
    for each; do
        lost[$each]=$((${lost[$each]} + $(dropped "$each")))
        all_lost=$((all_lost + ${lost[$each]}))
    done
    wait $look_pid
    all_full=$((all_full + $(rcvbuf_errors)))
}

# What the answer should be about a port that lost something. In a check %N stands for what the kernel counted there, %M
# for most of it.
blames() { # TEXT PORT CHECK...
    local text=$1 port=$2 n=${lost[$2]:-0}
    shift 2
    echo "# $text: the kernel counted $n"
    if [ -n "$trouble" ]; then
        not_ok "$text: $trouble"
        sed 's/^/# /' "$folder/why.err"
    elif [ "$n" -lt 200 ]; then
        not_ok "$text: the loss could not be provoked"
    else
        set -- port="$port" "${@//%N/$n}"
        is "$text" "$blame" "$folder/why.json" "${@//%M/$((n * 7 / 10))}"
        keep_evidence "$text"
    fi
}

# Only where nobody else on this host loses anything meanwhile.
balances() { # LOCUS
    local others=$all_full
    [ "$1" != socket-queue ] || others=$((all_full - all_lost))
    if [ "$others" = 0 ]; then
        is "the ledger has what the kernel counted" "$blame" "$folder/why.json" netns=host locus="$1:$all_lost"
    else
        skip "the ledger has what the kernel counted" "others on this host lost $others datagrams meanwhile"
    fi
}

# For whoever wants to know why.
keep_evidence() { # TEXT
    [ -z "${UDT_EVIDENCE:-}" ] || cp "$folder/why.json" "$UDT_EVIDENCE/$(tr -c 'a-zA-Z0-9\n' - <<<"$1").json"
}

