#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Wrong usage ends with status 2 and one helpful line; --help comes from the tables.
. "$(dirname "$0")/cli.sh"

wrong() { # TEXT ARGUMENT...: the line holds TEXT
    local text=$1
    shift
    run "$@"
    check "wrong usage: $*" one_line 2 "$text"
}

wrong 'say what to do: udpdiag why'
wrong 'no verb hwy, did you mean why?' hwy
wrong 'no verb statuss, did you mean status?' statuss
wrong 'no verb frobnicate, see udpdiag --help' frobnicate
wrong 'unknown option --snice, did you mean --since?' why --snice
wrong 'unknown option --jsn, did you mean --json?' --jsn why
wrong 'unknown option --zzzzzz, see --help' why --zzzzzz
wrong 'unknown option -x, see --help' why -x
wrong '--since needs an argument' why --since
wrong '--json takes no argument' why --json=yes
wrong '--since yesterdy is no time' why --since yesterdy
wrong '--live 0 is too short' why --live 0
wrong '--live 5parsecs is no length of time' why --live=5parsecs
wrong 'exclude each other' why --live 3 --since -1h
wrong 'exclude each other' why --at 03:00 --until 04:00
wrong 'the window ends before it begins' why --since now --until -1h
wrong 'status does not take "now"' status now
wrong 'are judged alone, without --live' why --live 3 FILE
wrong '--show-input needs files' why --show-input
wrong '--color sometimes is none of auto, always, never' why --color=sometimes
wrong '--now 25:00 is no time' why --now 25:00
wrong 'history needs TABLE.COLUMN' history
wrong 'snmp is not TABLE.COLUMN' history snmp
wrong 'no table snpm, did you mean snmp?' history snpm.udp_in_datagrams
wrong 'snmp has no column udp_rcvbuf_error, did you mean udp_rcvbuf_errors?' history snmp.udp_rcvbuf_error
wrong 'is a name, not a number' history snmp.netns
wrong '--key cpu=0 is no key of snmp, which has: netns=VALUE' history snmp.udp_in_datagrams --key cpu=0
wrong '--key netns is no key of snmp' history snmp.udp_in_datagrams --key netns
wrong 'no table cpus, did you mean cpu?' tables cpus
wrong 'tables does not take "b"' tables a b
wrong 'rules can list, show, check and sql, not shw; did you mean show?' rules shw
wrong 'rules show needs ID' rules show
wrong 'no rule rp-filtr, did you mean rp-filter?' rules show rp-filtr
wrong 'rules list does not take "x"' rules list x
wrong '--watch 0 is too short' stat --watch 0
wrong '--count needs --watch' stat --count 3
wrong '--count many is no number of times' stat --watch --count many
wrong '--once and --watch exclude each other' stat --watch --once
wrong 'no verb nothing, see udpdiag --help' help nothing

run "$(printf '\033[31mx')"
check 'a mistyped verb is escaped' one_line 2 'no verb \x1b[31mx'
check 'and holds no control character' printable

run --help
verbs='why sockets explain doctor stat status history alerts rules tables config version help'
named=0
for verb in $verbs; do
    says 0 out "  $verb " && named=$((named + 1))
done
check 'the overview names every verb' [ $named = 13 ]
check 'the overview fits into 80 columns' wide 80
for verb in $verbs; do
    run $verb --help
    check "$verb --help says how it is used" says 0 out "usage: udpdiag $verb"
    check "$verb --help names the common options" says 0 out '--database FILE'
    check "$verb --help fits into 80 columns" wide 80
    cp "$folder/out" "$folder/help"
    run help "$verb"
    check "help $verb says the same" cmp -s "$folder/help" "$folder/out"
done
run why --help
check 'an option has its argument and its help' says 0 out '--live [SECONDS]'
run --json version
check 'global options may stand before the verb' json 'd["version"] and d["schema"] == 1'
run version --json
check 'and behind it' json 'd["database_schema"] == 1'
run version
check 'version in text' says 0 out 'udpdiag'

if command -v mandoc >/dev/null; then
    for verb in help tables config; do
        {
            printf '.Dd November 30, 2026\n.Dt X 1\n.Os\n.Sh NAME\n.Nm x\n.Nd y\n.Sh DESCRIPTION\n'
            "$UDPDIAG" $verb --man
        } >"$folder/page"
        mandoc -Tlint -W warning "$folder/page" >"$folder/out" 2>"$folder/err"
        status=$?
        check "$verb --man is good mdoc" [ "$status" = 0 ]
    done
else
    skip 'the manual page fragments are good mdoc' 'no mandoc'
fi
end
