#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The service unit, the user, and the catalog of messages, as the tools of systemd see them.
set -u
source=${1:?usage: unit.sh SOURCE_FOLDER UNIT DAEMON}
unit=$2
daemon=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
n=0
check() { # STATUS WHAT [OUTPUT]
    n=$((n + 1))
    [ "$1" -eq 0 ] || { printf '%s\n' "${3:-}" | sed 's/^/# /'; printf 'not '; }
    echo "ok $n - $2"
}
skip() {
    n=$((n + 1))
    echo "ok $n - # SKIP $1"
}

sed -n 's/.*{ "\([0-9a-f]\{32\}\)".*/\1/p' "$source/daemon/messages.c" | sort >"$folder/sent"
sed -n 's/^-- \([0-9a-f]\{32\}\)$/\1/p' "$source/systemd/udpdiag.catalog" | sort >"$folder/explained"
difference=$(diff "$folder/sent" "$folder/explained")
check $? 'the catalog explains every message, and no other' "$difference"

if command -v systemd-analyze >/dev/null; then
    # The daemon is not installed yet.
    sed "s|^ExecStart=.*|ExecStart=$daemon|" "$unit" >"$folder/udpdiagd.service"
    said=$(systemd-analyze verify --man=no "$folder/udpdiagd.service" 2>&1)
    [ $? -eq 0 ] && [ -z "$said" ]
    check $? 'systemd-analyze verify has nothing to say' "$said"
    if systemd-analyze security --help 2>/dev/null | grep -q -- --offline; then
        said=$(systemd-analyze security --offline=true --no-pager "$folder/udpdiagd.service" 2>&1 | tail -n 1)
        printf '%s\n' "$said" | grep -Eq ': (0\.[0-9]|1\.[0-9]|2\.0) '
        check $? 'its exposure is 2.0 or better' "$said"
    else
        skip 'this systemd-analyze has no offline rating'
    fi
else
    skip 'no systemd-analyze here'
fi
if command -v journalctl >/dev/null; then
    mkdir -p "$folder/root/usr/lib/systemd/catalog" "$folder/root/var/lib/systemd/catalog"
    cp "$source/systemd/udpdiag.catalog" "$folder/root/usr/lib/systemd/catalog/"
    said=$(journalctl --root="$folder/root" --update-catalog 2>&1) && [ -z "$said" ]
    check $? 'journalctl takes the catalog' "$said"
else
    skip 'no journalctl here'
fi
if command -v systemd-sysusers >/dev/null; then
    mkdir -p "$folder/root/etc"
    said=$(systemd-sysusers --root="$folder/root" "$source/systemd/udpdiag.sysusers" 2>&1)
    grep -q '^udpdiag:' "$folder/root/etc/passwd" && grep -q '^udpdiag:' "$folder/root/etc/group"
    check $? 'systemd-sysusers makes user and group' "$said"
else
    skip 'no systemd-sysusers here'
fi
echo "1..$n"
