#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A history that cannot be read, and output that cannot be written: one clear line and the right exit status.
. "$(dirname "$0")/cli.sh"

"$MAKE_DATABASE" "$folder/h.db" "$end_ms" || { echo 'Bail out! no database'; exit 1; }
db=$folder/db
on() { run --database "$db" --now "$at_end" "$@"; }

every() { # TEXT STATUS LINE: for every verb that needs the history
    for verb in why alerts 'history snmp.udp_in_datagrams' 'rules sql rp-filter'; do
        # shellcheck disable=SC2086
        on $verb
        check "$verb: $1" one_line "$2" "$3"
    done
}

every 'no history' 3 "there is no history at $db; is udpdiagd running?"
on status
check 'status: no history' says 3 out 'not running: there is no history at'

head -c 30000 /dev/urandom >"$db"
every 'no database' 1 'damaged'
on status
check 'status: no database' says 3 out 'damaged'

: >"$db"
on why
check 'why: an empty file' eval '[ $status = 1 ] || [ $status = 3 ]'
check 'why: an empty file: one line' [ "$(wc -l <"$folder/err")" = 1 ]

cp "$folder/h.db" "$db"
if command -v sqlite3 >/dev/null; then
    sqlite3 "$db" 'PRAGMA user_version = 99'
    every 'newer schema' 1 'schema 99 is newer than this udpdiag understands'
    cp "$folder/h.db" "$db"
    sqlite3 "$db" 'DROP TABLE alert'
    on alerts
    check 'alerts: a list that cannot be read is not an empty one' one_line 1 'history'
else
    skip 'newer schema' 'no sqlite3'
fi

head -c 40000 "$folder/h.db" >"$db"
on why
check 'why: a database cut short' eval '[ $status = 1 ] && [ $(wc -l <"$folder/err") = 1 ]'

rm -f "$db"
mkdir "$db"
on why
check 'why: a folder' eval '[ $status = 1 ] && [ $(wc -l <"$folder/err") = 1 ]'

run --root "$folder/nowhere" why
check 'why --root: no such folder' one_line 1 'nowhere: No such file or directory'
"$UDPDIAG" --config "$folder/none.conf" why >"$folder/out" 2>"$folder/err"
status=$?
check 'no such configuration' one_line 1 'none.conf: No such file or directory'
mkdir "$folder/empty"
run --root "$folder/empty" why
check 'why --root: nothing to read' says 3 out 'Cannot tell'

# Another user
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    chmod 755 "$folder"
    chmod 640 "$folder/h.db"
    cp "$UDPDIAG" "$folder/udpdiag"
    as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups "$folder/udpdiag" --config /dev/null "$@" >"$folder/out" 2>"$folder/err"; }
    if as_nobody version; then
        as_nobody --database "$folder/h.db" why
        status=$?
        check 'why: not permitted: says which group may' one_line 1 'h.db may not be read: be root or join the group udpdiag'
        as_nobody stat --once
        status=$?
        check 'stat: needs no privilege' says 0 out UdpInDatagrams
        as_nobody why --live 0.5
        status=$?
        check 'why --live: needs no privilege' eval '[ $status != 1 ] && [ -s "$folder/out" ]'
    else
        skip 'not permitted' 'another user cannot run the program here'
    fi
else
    skip 'not permitted' 'needs root and setpriv'
fi

# Output
"$UDPDIAG" --config /dev/null tables >/dev/full 2>"$folder/err"
status=$?
check 'a full disk is told' eval '[ $status = 1 ] && grep -q "No space left on device" "$folder/err"'
"$UDPDIAG" --config /dev/null tables --json >/dev/full 2>"$folder/err"
status=$?
check 'in JSON too' eval '[ $status = 1 ] && grep -q "No space left on device" "$folder/err"'
"$UDPDIAG" --config /dev/null tables >&- 2>"$folder/err"
status=$?
check 'a closed output is told' eval '[ $status = 1 ] && grep -q "standard output" "$folder/err"'
cp "$folder/h.db" "$folder/whole.db"
"$UDPDIAG" --config /dev/null --database "$folder/whole.db" --now "$at_end" why >&- 2>&- <&-
check 'closed streams never lead into the database' cmp -s "$folder/h.db" "$folder/whole.db"
(
    trap '' PIPE
    "$UDPDIAG" --config /dev/null stat --watch 0.1 --count 20 2>"$folder/err"
) | head -n 1 >"$folder/out"
check 'a reader that left is no error to talk about' [ ! -s "$folder/err" ]
end
