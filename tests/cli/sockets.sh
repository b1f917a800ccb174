#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Answers that name sockets and processes, and answers about some of them.
. "$(dirname "$0")/cli.sh"

# A rule whose cause has every part of a subject, so that the answer depends on no other.
mkdir "$folder/rules"
cat >"$folder/rules/reader-blocked-other.sql" <<'END'
-- rule       reader-blocked-other
-- kind       cause
-- explains   socket-queue
-- severity   warning
-- title      The reader of port {port} waits for disk writes
-- needs      socket.drops
-- evidence   lost datagrams {lost} dropped
-- ruled-out  no socket lost any
-- do         Log less
SELECT s.netns, s.port, s.address, s.drops AS lost, 0.99 AS confidence, p.comm AS process, p.pid, p.unit
FROM socket s JOIN owner o USING (inode) JOIN process p USING (pid) WHERE s.drops > 0
END
printf '[rules]\ndirectory = %s/rules\n' "$folder" >"$folder/test.conf"

"$MAKE_DATABASE" "$folder/h.db" "$end_ms" host 300 sockets || { echo 'Bail out! no database'; exit 1; }
ask_of() { # DATABASE ARGUMENT...
    local database=$1
    shift
    "$UDPDIAG" --config "$folder/test.conf" --database "$folder/$database" --now "$at_end" "$@" >"$folder/out" 2>"$folder/err"
    status=$?
}
ask() { ask_of h.db "$@"; }
line() { # NUMBER TEXT: that line of the output
    [ "$(sed -n "$1p" "$folder/out")" = "$2" ]
}

# At a glance: what, who, why
ask why
check 'glance: what' line 1 '1,000 datagrams lost in the last 10 min, all at the socket queue: ports 514 and'
check 'glance: who' grep -qx 'rsyslogd (pid 812), rsyslog.service; statsd (pid 99), statsd.service' "$folder/out"
check 'glance: why' says 10 out '900 of them: The reader of port 514 waits for disk writes (confidence 0.99); 1'
check 'glance: in 80 columns' wide 80
check 'glance: the details stand below' says 10 out '1. The reader of port 514'
ask why --since 03:07:46 --until 03:07:49 --json
check 'glance: JSON keeps its fields, and has no filter' json 'd["lost"] == 300 and d["filter"] is None'

# Filters
ask why --port 8125
check 'filter: what, of one port' line 1 '100 datagrams lost in the last 10 min at port 8125'
check 'filter: who' line 2 'statsd (pid 99), statsd.service'
check 'filter: why' line 3 'The reader of port 8125 waits for disk writes (confidence 0.99)'
check 'filter: it is said that this is a part' line 4 'This is only a part of the answer: the whole host lost 1,000 in that time.'
check 'filter: what is known of the socket' says 10 out '127.0.0.1:8125, statsd (pid 99), statsd.service: 100 dropped in this time'
check 'filter: in 80 columns' wide 80
check 'filter: no other port is named' eval '! grep -q 514 "$folder/out"'
ask why --port 8125 --json
check 'filter: JSON' json 'd["lost"] == 100 and d["filter"]["port"] == 8125 and d["filter"]["lost_in_all"] == 1000 and d["filter"]["sockets"] == 1 and {c["subject"]["port"] for c in d["causes"]} == {8125} and d["traffic"]["received"] is None'
ask why --process rsyslogd --json
check 'filter: by process' json 'd["lost"] == 900 and d["filter"]["process"] == "rsyslogd" and {c["subject"]["pid"] for c in d["causes"]} == {812} and d["verdict"] == "causes"'
ask why --process rsyslogd --port 8125 --json
check 'filter: both must hold' json 'd["lost"] == 0 and d["filter"]["sockets"] == 0 and d["causes"] == []'
ask why --port 53
check 'filter: a socket that lost nothing' line 1 'Nothing lost in the last 10 min at port 53'
check 'filter: it exists' says 0 out '[::]:53, not visible without more privileges: 0 dropped in this time, 0'
ask why --port 4789
check 'filter: a socket of the kernel' says 0 out '0.0.0.0:4789, the kernel (vxlan): 0 dropped'
ask why --port 9999
check 'filter: no such socket' says 0 out 'no socket was seen on port 9999; those to which nothing happens are not stored'
check 'filter: and what the host lost' says 0 out 'the whole host lost 1,000'
ask why --netns host --json
check 'filter: by namespace' json 'd["lost"] == 1000 and d["filter"]["netns"] == "host" and d["traffic"]["received"] == 599000 and len(d["causes"]) >= 2 and all(e["netns"] == "host" for e in d["ledger"])'
ask why --netns web
check 'filter: no such namespace' one_line 1 'there is no network namespace web, but host'
ask why --port 0
check 'filter: no port' one_line 2 '--port 0 is no port number'
ask why --port 70000
check 'filter: too large' one_line 2 '--port 70000 is no port number'
"$MAKE_DATABASE" "$folder/blind.db" "$end_ms" host 300
ask_of blind.db why --port 514
check 'filter: sockets that were not read are no good news' says 3 out 'sockets were not read: not in this test'
check 'filter: and the first line says so' line 1 'Cannot tell whether datagrams were lost in the last 10 min at port 514'

# Idle sockets stand in no history: this host is asked for them
python3 - "$folder/port" "$folder/stop" <<'END' &
import os, socket, sys, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("127.0.0.1", 0))
open(sys.argv[1] + ".new", "w").write(str(s.getsockname()[1]))
os.rename(sys.argv[1] + ".new", sys.argv[1])
for i in range(600):
    if os.path.exists(sys.argv[2]):
        break
    time.sleep(0.1)
END
while [ ! -e "$folder/port" ]; do sleep 0.1; done
port=$(cat "$folder/port")
printf '[store]\ndatabase = %s\n' "$folder/h.db" >"$folder/here.conf"
"$UDPDIAG" --config "$folder/here.conf" --now "$at_end" why --port "$port" >"$folder/out" 2>"$folder/err"
status=$?
check 'filter: an idle socket exists now' eval 'tr -s " \\n" " " <"$folder/out" | grep -qF "now: 127.0.0.1:$port" && [ "$status" = 0 ]'
run why --live 0.5 --port "$port"
check 'filter: live, idle sockets are seen' eval 'tr -s " \\n" " " <"$folder/out" | grep -qF "127.0.0.1:$port" && grep -q "0 dropped in this time" "$folder/out"'
run why --live 0.5 --port "$port" --process nobody-of-this-name
check 'filter: live, that there is none is sure' eval 'tr -s " \\n" " " <"$folder/out" | grep -qF "there is no socket of a process nobody-of-this-name on port $port"'
run sockets --port "$port" --json
check 'sockets: live' json "[s['address'] for s in d['sockets'] if s['port'] == $port] == ['127.0.0.1'] and d['kind'] == 'live'"
touch "$folder/stop"
wait

# After a change
"$MAKE_DATABASE" "$folder/cured.db" "$end_ms" host 300 cured
ask_of cured.db why
check 'change: the headline says that it is cured' eval 'head -n 2 "$folder/out" | tr "\\n" " " | grep -q "cured at 03:08:08: net.core.rmem_default"'
check 'change: before and after' eval 'tr -s " \\n" " " <"$folder/out" | grep -qF "change 03:08:08 net.core.rmem_default, 208 KiB to 4 MiB: cured (lost before:"'
check 'change: in 80 columns' wide 80
ask_of cured.db why --json
check 'change: JSON' json 'len(d["changes"]) == 1 and d["changes"][0]["verdict"] == "cured" and d["changes"][0]["from"] == 212992 and d["changes"][0]["to"] == 4194304 and d["changes"][0]["unit"] == "bytes" and d["changes"][0]["before_rate"] > 3 and d["changes"][0]["after_rate"] == 0 and d["changes"][0]["at"] == "2026-11-30T03:08:08+00:00"'
ask_of cured.db why --port 514 --json
check 'change: it bears on a port too' json 'len(d["changes"]) == 1'
ask why --json
check 'change: none' json 'd["changes"] == []'

# Expected losses
muted() { # KEY-AND-VALUE...: asks why with that [mute]
    local keys=$1
    shift
    { cat "$folder/test.conf"; printf '[mute]\n%b\n' "$keys"; } >"$folder/mute.conf"
    "$UDPDIAG" --config "$folder/mute.conf" --database "$folder/h.db" --now "$at_end" why "$@" >"$folder/out" 2>"$folder/err"
    status=$?
}
muted 'port = 514'
check 'mute: the others decide the headline' eval 'line 1 "100 datagrams lost in the last 10 min, all at one socket: port 8125; 900 muted"'
check 'mute: who' line 2 'statsd (pid 99), statsd.service'
check 'mute: it is still shown, in one line' eval 'tr -s " \\n" " " <"$folder/out" | grep -qF "muted The reader of port 514 waits for disk writes (muted, 900 lost, confidence 0.99)"'
check 'mute: in 80 columns' wide 80
muted 'port = 514' --json
check 'mute: still counted, and marked' json 'd["lost"] == 1000 and {c["subject"]["port"]: c["muted"] for c in d["causes"] if not c["also"]} == {514: True, 8125: False}'
muted 'unit = rsyslog.* statsd.service'
check 'mute: nothing else was lost' says 0 out 'Nothing lost in the last 10 min'
check 'mute: and how much is muted' eval 'tr -s " \\n" " " <"$folder/out" | grep -qF "; 1,000 muted"'
muted 'unit = rsyslog.* statsd.service' --json
check 'mute: JSON' json 'd["verdict"] == "healthy" and d["lost"] == 1000'
muted 'mount = /var' --json
check 'mute: a level' json 'd["levels"][0]["id"] == "disk-fill" and d["levels"][0]["muted"] is True and d["verdict"] == "causes"'
muted 'mount = /var'
check 'mute: a level in text' says 10 out 'muted       /var is 83 % full'
muted 'cause = reader-blocked-other' --json
check 'mute: a cause' json 'all(c["muted"] for c in d["causes"] if c["id"] == "reader-blocked-other")'
muted 'port = syslog'
check 'mute: a mistake is told with file and line' grep -qF 'mute.conf:4: port = syslog is not a list of port numbers such as 514 8125, nothing stays' "$folder/err"

# sockets
ask sockets
check 'sockets: the summary' line 1 '4 sockets; 2 of them lost 1,000 datagrams in 10 min'
check 'sockets: those that lost the most stand first' \
    grep -qE '^ *900 +1.5/s +900 +0 B +208 KiB +0.0.0.0:514 +rsyslogd \(pid 812\),' "$folder/out"
check 'sockets: in 80 columns' wide 80
ask sockets --json
check 'sockets: JSON' json '[s["port"] for s in d["sockets"]][:2] == [514, 8125] and d["sockets"][0]["owners"][0]["unit"] == "rsyslog.service" and d["sockets"][0]["lost"] == 900 and d["sockets"][0]["rate"] == 1.5 and d["sockets"][0]["rcvbuf_bytes"] == 212992'
check 'sockets: no owner is not an unknown one' json '{s["port"]: s["owner_state"] for s in d["sockets"]} == {514: "found", 8125: "found", 53: "denied", 4789: "kernel"} and d["sockets"][3]["owners"] == []'
ask sockets --lossy --json
check 'sockets --lossy' json 'len(d["sockets"]) == 2'
ask sockets --process statsd --json
check 'sockets --process' json '[s["port"] for s in d["sockets"]] == [8125]'
ask sockets --port 53 --json
check 'sockets --port' json '[s["port"] for s in d["sockets"]] == [53]'
ask sockets --netns web --json
check 'sockets --netns' json 'd["sockets"] == []'
ask sockets --port 9999
check 'sockets: none' says 0 out 'no such socket'
ask sockets --since -1min --lossy
check 'sockets --since' says 0 out 'no socket lost datagrams in that time'
ask_of blind.db sockets
check 'sockets: not read' one_line 3 'sockets were not read: not in this test'
"$MAKE_DATABASE" "$folder/evil.db" "$end_ms" "$(printf 'a\033[31m\nb')" 300 sockets
ask_of evil.db sockets
check 'sockets: a name with escape sequences stays a name' eval 'printable && says 0 out "in a\\x1b[31m\\x0ab"'
ask sockets --port x
check 'sockets: no port' one_line 2 '--port x is no port number'
end
