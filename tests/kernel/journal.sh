# SPDX-License-Identifier: GPL-2.0-or-later
# A journal of its own
#
# Sourced by scenarios after begin(): starts systemd-journald in the scenario's mount namespace, with its socket where
# libsystemd looks for it and its files in memory. The host's journal, if it has one, sees nothing of it.

# 0, or 1: there is no journald here; $why_no_journal says why.
journal_start() {
    local journald
    for journald in /usr/lib/systemd/systemd-journald /lib/systemd/systemd-journald; do
        [ ! -x $journald ] || break
    done
    why_no_journal="needs systemd-journald and journalctl"
    [ -x $journald ] && command -v journalctl >/dev/null || return 1
    why_no_journal="needs a machine-id"
    [ -s /etc/machine-id ] || return 1
    why_no_journal="mounting is refused here"
    mkdir -p /run/systemd /run/log
    mount -t tmpfs -o size=1m tmpfs /run/systemd && mount -t tmpfs -o size=64m tmpfs /run/log || return 1
    mkdir -p /run/systemd/journal /run/systemd/journald.conf.d
    printf '[Journal]\nStorage=volatile\nReadKMsg=no\nAudit=no\nForwardToSyslog=no\nRateLimitBurst=0\n' \
        >/run/systemd/journald.conf.d/test.conf
    why_no_journal="systemd-journald does not start here"
    run $journald >"$folder/journald.log" 2>&1
    until_true 5 test -S /run/systemd/journal/socket
}

# Entries of a kind of message, one JSON document a line.
journal_entries() { # MESSAGE_ID
    journalctl --directory "/run/log/journal" --no-pager --all -o json "MESSAGE_ID=$1" 2>/dev/null
}
