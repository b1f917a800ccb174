#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What is missing here, and what that hides.
. "$(dirname "$0")/cli.sh"

"$MAKE_DATABASE" "$folder/h.db" "$end_ms" host 300 sockets || { echo 'Bail out! no database'; exit 1; }
ask() { run --database "$folder/h.db" --now "$at_end" "$@"; }
state() { # CHECK STATE
    json "next(c for c in d['checks'] if c['check'] == '$1')['state'] == '$2'"
}

ask doctor
check 'doctor: exit status 0 or 1' eval '[ "$status" = 0 ] || [ "$status" = 1 ]'
check 'doctor: nothing on the standard error' [ ! -s "$folder/err" ]
check 'doctor: in 80 columns' wide 80
ask doctor --json
check 'doctor: every table has a state, and what is not seen without it' json 'len(d["sources"]) >= 17 and all(s["state"] and s["blind"] for s in d["sources"])'
check 'doctor: beside it what the daemon could read' json 'd["sources"][0]["daemon_state"] == "ok" and next(s for s in d["sources"] if s["table"] == "softnet")["daemon_reason"] == "not in this test"'
check 'doctor: what is missing decides the status' json "d['missing'] == sum(c['state'] == 'missing' for c in d['checks']) + sum(s['state'] in ('denied', 'failed') for s in d['sources']) and d['healthy'] == ($status == 0)"
check 'doctor: every check says what it hides, and what helps' json 'all(c["detail"] and c["blind"] and c["remedy"] for c in d["checks"])'
check 'doctor: the daemon runs' state daemon ok
check 'doctor: the database can be read' state database ok
check 'doctor: namespaces' json '" can be read" in next(c for c in d["checks"] if c["check"] == "namespaces")["detail"]'

run --database "$folder/none.db" doctor --json
check 'doctor: no daemon: 1' eval '[ "$status" = 1 ] && state daemon missing && state database missing'
run --database "$folder/h.db" --now '@1796011965' doctor
check 'doctor: a daemon that stopped' says 1 out 'wrote last at 03:12:45'
check 'doctor: and what that hides, and what helps' eval 'grep -q "not seen: what happened" "$folder/out" && grep -q "do: systemctl" "$folder/out"'

# A host made of files: settings without privileges
mkdir -p "$folder/root/proc/sys/kernel" "$folder/root/proc/self" "$folder/root/proc/net"
echo 0 >"$folder/root/proc/sys/kernel/task_delayacct"
echo 'proc /proc proc rw,nosuid,hidepid=invisible 0 0' >"$folder/root/proc/self/mounts"
run --root "$folder/root" doctor --json
check 'doctor: delay accounting is off' state 'delay accounting' missing
check 'doctor: no pressure' state pressure missing
check 'doctor: hidden processes' state hidepid missing
check 'doctor: a directory needs no capability' state CAP_NET_ADMIN absent
check 'doctor: what a kernel does not have is no fault' json 'next(s for s in d["sources"] if s["table"] == "softnet")["state"] == "absent"'
echo 1 >"$folder/root/proc/sys/kernel/task_delayacct"
echo 'proc /proc proc rw,nosuid 0 0' >"$folder/root/proc/self/mounts"
run --root "$folder/root" doctor --json
check 'doctor: delay accounting is on' state 'delay accounting' ok
check 'doctor: processes are shown' state hidepid ok

# Without privileges
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    chmod 755 "$folder"
    setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all --bounding-set=-all \
        "$UDPDIAG" --config /dev/null --database "$folder/none.db" doctor --json >"$folder/out" 2>"$folder/err"
    status=$?
    if [ "$status" -gt 1 ]; then
        skip 'doctor: an ordinary user' 'the program cannot be run as another user'
    else
        check 'doctor: an ordinary user lacks privileges, which is said' eval 'state CAP_SYS_PTRACE missing && state CAP_NET_ADMIN missing'
    fi
else
    skip 'doctor: an ordinary user' 'not root'
fi
end
