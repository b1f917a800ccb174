#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the verbs answer on a history of known content and on the fixtures.
. "$(dirname "$0")/cli.sh"

"$MAKE_DATABASE" "$folder/h.db" "$end_ms" || { echo 'Bail out! no database'; exit 1; }
ask() { run --database "$folder/h.db" --now "$at_end" "$@"; }

# why: text
ask why
check 'why: exit status 10 with causes' [ "$status" = 10 ]
check 'why: the first line is the answer' first_line '1,000 datagrams lost in the last 10 min, all at the socket queue'
check 'why: the cause with its confidence' says 10 out '1. Receive queues of UDP sockets overflow'
check 'why: evidence, remedy and what not to do are labelled' \
    eval 'says 10 out "   evidence " && says 10 out "   do " && says 10 out "   not "'
check 'why: the ledger with the kernel'"'"'s counter name' says 10 out 'socket queue: 1,000; UdpRcvbufErrors 1,000'
check 'why: what was ruled out, as places' grep -qE '^ .*reverse-path filter, ' "$folder/out"
check 'why: of the place that loses, the causes' grep -q '(rcvbuf-burst' "$folder/out"
check 'why: what could not be judged, and why not' says 10 out 'needs softnet: not in this test'
check 'why: readable in 80 columns' wide 80
check 'why: nothing on the standard error' [ ! -s "$folder/err" ]
check 'why: commands stand alone on their line' grep -qx ' *ss -uamnp' "$folder/out"

check 'why: levels, before there is loss' says 10 out 'warning     /var is 83 % full'

ask why --all
check 'why --all: the reason of what was ruled out' says 10 out 'no datagrams with a bad checksum'
check 'why --all: the window and the host' eval 'says 10 out "03:02:45 to 03:12:45, 600 steps" && says 10 out "host testhost"'

# why: JSON of the same verdict
ask why --json
check 'why --json: exit status as in text' [ "$status" = 10 ]
check 'why --json: lost, verdict, host' json 'd["lost"] == 1000 and d["verdict"] == "causes" and d["host"] == "testhost"'
check 'why --json: the ledger' json 'd["ledger"][0]["locus"] == "socket-queue" and d["ledger"][0]["datagrams"] == 1000'
check 'why --json: window of 600 steps' json 'd["window"]["steps"] == 600 and d["window"]["kind"] == "history"'
check 'why --json: traffic' json 'd["traffic"]["received"] == 599000'

check 'why --json: levels' json 'd["levels"][0]["id"] == "disk-fill" and d["levels"][0]["subject"]["mount"] == "/var"'
printf '[alert]\ndisk-warning = 70\ndisk-critical = 83\n' >"$folder/strict.conf"
"$UDPDIAG" --config "$folder/strict.conf" --database "$folder/h.db" --now "$at_end" why --json >"$folder/out" 2>"$folder/err"
check 'why: levels follow the configuration' json 'd["levels"][0]["severity"] == "critical"'

# Windows
ask why --since -1min
check 'why: a window without loss' says 0 out 'Nothing lost in the last 60 s: 60,000 datagrams received, 0 sent'
check 'why: old losses are old' says 0 out 'nothing grows now'
ask why --at 03:07:50 --json
check 'why --at: the ten minutes around' json 'd["lost"] == 1000'
ask why --since '2026-11-30 03:07:50' --until '2026-11-30T03:07:52Z' --json
check 'why --since --until: two steps' json 'd["window"]["steps"] == 2 and d["lost"] == 200'
ask why --since 03:07:40 --until 03:08
check 'why: a past window is named by its times' first_line \
    '1,000 datagrams lost between 03:07:40 and 03:08:00, all at the socket queue'
ask why --since '3 days ago' --until '2 days ago'
check 'why: no samples: 3, and what there is' one_line 3 'the history reaches from 03:02:45 to 03:12:45'

# A history that ended
late() { run --database "$folder/h.db" --now '@1796011965' "$@"; }
late why
check 'why: stale history: still the answer' first_line '1,000 datagrams lost between 03:02:45 and 03:12:45, all at the socket queue'
check 'why: stale history: 3, and how old' says 3 err 'the history ends 60 min ago; is udpdiagd running?'
late why --since 03:00 --until 03:13
check 'why: the past is not stale' [ "$status" = 10 ]
late why --since -2h
check 'why: up to now it is' [ "$status" = 3 ]
late status
check 'status: 3 when the daemon is not running' says 3 out 'not running'
late alerts
check 'alerts: still listed, with 3' says 3 out '/var is filled to 83 %'
late history snmp.udp_in_datagrams --since -2h
check 'history: still plotted, with 3' says 3 err 'the history ends 60 min ago'

# Nothing said: the configured history where it is fresh, else this host
printf '[store]\ndatabase = %s\n' "$folder/h.db" >"$folder/here.conf"
here() {
    "$UDPDIAG" --config "$folder/here.conf" "$@" >"$folder/out" 2>"$folder/err"
    status=$?
}
here why --json --now "$at_end"
check 'why: a fresh history answers' json 'd["window"]["kind"] == "history" and d["lost"] == 1000'
check 'why: without a remark' [ ! -s "$folder/err" ]
here why --json
check 'why: else a look of a few seconds' json 'd["window"]["kind"] == "live" and 2 < d["window"]["seconds"] < 5'
check 'why: and why' grep -q 'the history ends at .*; looking for 3 s' "$folder/err"
rm "$folder/here.conf"
run why --live 0.5 --json
check 'why --live: no remark where it was asked for' [ ! -s "$folder/err" ]

# status
ask status
check 'status: running' says 0 out 'running since 03:02:45'
check 'status: the last sample' says 0 out '0 s ago, every 1 s'
check 'status: alerts that last, muted ones marked' eval 'says 0 out "Queues \x1b[31moverflow" && says 0 out "(muted) The filter"'
check 'status: what is not available, and why' says 0 out 'not in this test'
ask status --json
check 'status --json' json 'd["running"] and d["steps"] == 601 and d["step_s"] == 1 and d["lost"] == 0 and len(d["alerts"]) == 2'
check 'status --json: every table has a state' json 'all(t["state"] for t in d["tables"]) and len(d["tables"]) >= 13'
"$MAKE_DATABASE" "$folder/recent.db" "$end_ms" "web" 30
run --database "$folder/recent.db" --now "$at_end" status
check 'status: losses of the last minute by place' grep -qE '^socket queue +web +1,000$' "$folder/out"
run --database "$folder/recent.db" --now "$at_end" status --json
check 'status --json: losses' json 'd["losses"] == [{"locus": "socket-queue", "netns": "web", "datagrams": 1000}]'

# alerts
ask alerts
check 'alerts: those that last and those that ended' eval 'says 0 out lasts && says 0 out 03:07:05'
check 'alerts: nothing from outside reaches the terminal' eval 'printable && says 0 out "Queues \\x1b[31moverflow"'
check 'alerts: muted ones are marked' says 0 out '(muted) The filter drops'
ask alerts --active --json
check 'alerts --active' json 'len(d["alerts"]) == 2 and all(a["end"] is None for a in d["alerts"])'
ask alerts --json
check 'alerts --json: the verdict inside' json \
    'next(a for a in d["alerts"] if a["cause"] == "socket-queue-overflow")["verdict"]["lost"] == 1000'
check 'alerts --json: times' json \
    'next(a for a in d["alerts"] if a["cause"] == "disk-fill")["end"] == "2026-11-30T03:07:05+00:00"'
ask alerts --since -1min --json
check 'alerts --since' json 'len(d["alerts"]) == 2'

# history
ask history snmp.udp_rcvbuf_errors
check 'history: the plot in ASCII without a UTF-8 locale' grep -q '#' "$folder/out"
check 'history: sum, rate and highest' says 0 out '1,000 datagrams 1.67/s   100/s'
check 'history: readable in 80 columns' wide 80
ask history snmp.udp_rcvbuf_errors --json
check 'history --json: sum and points' json \
    'd["objects"][0]["sum"] == 1000 and sum(p[2] or 0 for p in d["objects"][0]["points"]) == 1000 and d["unit"] == "datagrams"'
check 'history --json: highest and when' json \
    'd["objects"][0]["max"] == 100 and d["objects"][0]["max_at"] == "2026-11-30T03:07:46+00:00"'
check 'history --json: key' json 'd["objects"][0]["keys"] == {"netns": "host"}'
ask history snmp.udp_rcvbuf_errors --since 03:07:50 --until 03:07:52 --values
check 'history --values' eval 'says 0 out "03:07:51       1 100 datagrams 100/s" && [ $(wc -l <"$folder/out") = 5 ]'
ask history memory.available_bytes --since -30s --json
check 'history: a gauge keeps its level' json \
    'len(d["objects"][0]["points"]) == 30 and all(p[2] is not None for p in d["objects"][0]["points"])'
ask history snmp.udp_in_datagrams --key netns=host --json
check 'history --key' json 'd["objects"][0]["sum"] == 599000'
ask history snmp.udp_in_datagrams --key netns=other
check 'history: no such object' one_line 3 'no rows of that key'
ask history cpu.idle
check 'history: no rows at all' one_line 3 'cpu.idle has no rows'
LC_ALL=C.UTF-8 ask history snmp.udp_rcvbuf_errors
check 'history: blocks in a UTF-8 locale' grep -q '█' "$folder/out"

# stat: number by number as the files
same_numbers() { # KERNEL
    python3 - "$folder/out" "$FIXTURES/$1" <<'END'
import glob, json, os, sys
counters, root = json.load(open(sys.argv[1]))["counters"], sys.argv[2]
expected = {}
net = next(p for p in (root + "/proc/1/net", root + "/proc/self/net", root + "/proc/net") if os.path.exists(p + "/snmp"))
for name in ("snmp", "netstat"):
    lines = open(f"{net}/{name}").read().splitlines()
    for head, values in zip(lines[::2], lines[1::2]):
        prefix = head.split(":")[0]
        for field, value in zip(head.split()[1:], values.split()[1:]):
            expected[prefix + field] = int(value)
for line in open(f"{net}/snmp6"):
    name, value = line.split()
    expected[name] = int(value)
bad, known = [], 0
for row in counters:
    for family in ("ipv4", "ipv6"):
        name, value = row[family + "_name"], row[family]
        # Linux 3.10 prints some octet counters as 32-bit numbers with a sign.
        is_same = value == expected.get(name) or (expected.get(name) or 0) < 0 and value == expected[name] % 2**32
        if name and not is_same:
            bad.append((name, value, expected.get(name)))
        known += name in expected
print("# differ:", bad)
sys.exit(0 if not bad and known > 40 else 1)
END
}
for kernel in 3.10 4.18-el8 5.4 6.1 6.18; do
    run --root "$FIXTURES/$kernel" stat --json
    check "stat: kernel $kernel, number by number" same_numbers $kernel
done
run --root "$FIXTURES/3.10" stat --all
check 'stat: what this kernel lacks is "-"' grep -qE '^UdpMemErrors +- +-$' "$folder/out"
run --root "$FIXTURES/6.1" stat
check 'stat: nothing grows in a directory: no such columns' eval '[ $status = 0 ] && ! grep -q growth "$folder/out"'
run --root "$FIXTURES/6.1" stat --netns nowhere
check 'stat: no such namespace' one_line 1 'there is no network namespace nowhere, but host'
run --root "$FIXTURES/6.1" stat --watch 0.1 --count 2 --json
check 'stat --watch --json: one document a line' eval '[ $(wc -l <"$folder/out") = 2 ] && head -n 1 "$folder/out" >"$folder/one"'
cp "$folder/one" "$folder/out"
check 'stat --watch: growth over the interval' json \
    'd["seconds"] >= 0.1 and all(c["ipv4_growth"] in (0, None) for c in d["counters"])'

# A directory: one look since boot
for kernel in 3.10 4.18-el8 5.4 6.1 6.18; do
    run --root "$FIXTURES/$kernel" why --json
    check "why --root: kernel $kernel: since boot" json 'd["window"]["kind"] == "since-boot" and d["window"]["steps"] == 1'
    up=$(cut -d . -f 1 "$FIXTURES/$kernel/proc/uptime")
    check "why --root: kernel $kernel: since its own boot" json "int(d['window']['seconds']) == $up"
done
cp -r "$FIXTURES/3.10" "$folder/cut" && truncate -s '<50' "$folder/cut/proc/net/snmp" "$folder/cut/proc/net/snmp6" "$folder/cut/proc/net/netstat" \
    "$folder/cut/proc/net/softnet_stat" "$folder/cut/proc/net/stat/nf_conntrack"
run --root "$folder/cut" why
check 'why --root: cut before the UDP counters: not "nothing lost"' says 3 out 'Cannot tell whether datagrams were lost'
run --root "$FIXTURES/6.18" why
check 'why --root: the first line' grep -q 'since boot' "$folder/out"
run --root "$FIXTURES/6.18" why --live 0.5 --json
check 'why --root --live: nothing grows in a directory' json 'd["window"]["kind"] == "live" and d["lost"] == 0'
run --root "$FIXTURES/6.18" status
check 'status --root: what can be read there' says 3 out 'snmp'

# This host
run --database "$folder/none.db" why --live 1 --json
check 'why --live: several steps' json 'd["window"]["kind"] == "live" and 2 <= d["window"]["steps"] <= 6'
run stat --json
check 'stat: this host grows in a second' json '0.9 < d["seconds"] < 3 and d["counters"][0]["ipv4_growth"] is not None'

# rules, tables, config
run rules --json
check 'rules --json' json 'len(d["rules"]) > 30 and all(r["id"] and r["kind"] for r in d["rules"])'
run rules show rp-filter
check 'rules show' says 0 out '-- rule       rp-filter'
run rules show rp-filter --json
check 'rules show --json' json 'd["id"] == "rp-filter" and "SELECT" in d["text"]'
run rules check "$(dirname "$FIXTURES")/../rules/rp-filter.sql"
check 'rules check: a good one' says 0 out 'no mistake found'
printf -- '-- rule x\nSELECT nothing\n' >"$folder/x.sql"
run rules check "$folder/x.sql"
check 'rules check: a bad one, with file and line' says 1 err "$folder/x.sql:1: "
run rules check "$folder/x.sql" --json
check 'rules check --json' json 'd["good"] is False and d["file"].endswith("x.sql")'
run rules check "$folder/absent.sql"
check 'rules check: none' one_line 1 'absent.sql: No such file or directory'
if command -v sqlite3 >/dev/null; then
    ask rules sql socket-queue-overflow
    sqlite3 -readonly "$folder/h.db" <"$folder/out" >"$folder/sql" 2>&1
    check 'rules sql: runs in the sqlite3 shell' grep -qE '^ *lost = 1000$' "$folder/sql"
else
    skip 'rules sql: runs in the sqlite3 shell' 'no sqlite3'
fi
run tables --json
check 'tables --json' json '{"snmp", "cpu", "mount"} <= {t["name"] for t in d["tables"]}'
run tables snmp --json
check 'tables NAME --json' json 'any(c["name"] == "udp_rcvbuf_errors" and c["kind"] == "counter" for c in d["columns"])'
run tables snmp
check 'tables NAME: readable in 80 columns' wide 80
run config --defaults
check 'config --defaults' says 0 out '#database = /var/lib/udpdiag/udpdiag.db'
mkdir -p "$folder/root/etc/udpdiag/udpdiag.conf.d"
printf '[alert]\nfloor = 3\nflor = 4\n' >"$folder/root/etc/udpdiag/udpdiag.conf.d/mine.conf"
"$UDPDIAG" --root "$folder/root" config --json >"$folder/out" 2>"$folder/err"
status=$?
check 'config: where a value comes from' json \
    'next(k for k in d["config"] if k["key"] == "floor")["file"].endswith("mine.conf") and next(k for k in d["config"] if k["key"] == "floor")["line"] == 2'
check 'config: a mistake is told with file and line' says 0 err 'mine.conf:3: unknown key flor, did you mean floor?'
end
