#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Colour, width and what reaches a terminal.
. "$(dirname "$0")/cli.sh"

"$MAKE_DATABASE" "$folder/h.db" "$end_ms" || { echo 'Bail out! no database'; exit 1; }
ask() { run --database "$folder/h.db" --now "$at_end" "$@"; }
colored() { LC_ALL=C grep -q "$(printf '\033')" "$folder/out"; }
plain() { ! colored; }

# On a terminal of that width; the output is in $folder/out.
on_terminal() { # COLUMNS ARGUMENT...
    python3 - "$folder/out" "$@" <<'END'
import fcntl, os, pty, struct, sys, termios
out, columns, arguments = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    os.environ.pop("COLUMNS", None)
    os.execv(os.environ["UDPDIAG"], [os.environ["UDPDIAG"], "--config", "/dev/null"] + arguments)
text = b""
while True:
    try:
        piece = os.read(fd, 65536)
    except OSError:
        break
    if not piece:
        break
    text += piece
os.waitpid(pid, 0)
open(out, "wb").write(text.replace(b"\r\n", b"\n"))
END
}

ask why
check 'no colour in a pipe' plain
ask why --color=always
check '--color=always' colored
NO_COLOR=1 ask why --color=always
check '--color=always beats NO_COLOR' colored
ask alerts --color=always
check '--color=always in tables' colored
ask alerts --color=always --json
check 'never in JSON' plain

export TERM=xterm
history=(--database "$folder/h.db" --now "$at_end")
if on_terminal 80 version && grep -q udpdiag "$folder/out"; then
    on_terminal 80 "${history[@]}" why
    check 'colour on a terminal' colored
    NO_COLOR=1 on_terminal 80 "${history[@]}" why
    check 'NO_COLOR' plain
    check 'a terminal of 80 columns' wide 80
    NO_COLOR=1 on_terminal 50 "${history[@]}" why
    check 'a terminal of 50 columns' eval '! LC_ALL=C awk "length > 50 && !/^                 /" "$folder/out" | grep -q .'
    NO_COLOR=1 on_terminal 140 "${history[@]}" why
    check 'a terminal of 140 columns is used' eval '! wide 100 && wide 140'
    TERM=dumb on_terminal 80 "${history[@]}" why
    check 'no colour on a dumb terminal' plain
    on_terminal 80 "${history[@]}" why --color=never
    check '--color=never' plain
    NO_COLOR=1 on_terminal 80 "${history[@]}" alerts
    check 'no escape sequence from outside on a terminal' plain
    printf -- '-- rule \033[31mx\nSELECT 1\n' >"$folder/evil.sql"
    mkdir "$folder/rules"
    NO_COLOR=1 on_terminal 80 rules check "$folder/evil.sql"
    check 'nor from a rule file' plain
else
    skip 'on a terminal' 'no pseudo terminal'
fi

# Names that want to be more
"$MAKE_DATABASE" "$folder/evil.db" "$end_ms" "$(printf 'a\033]0;x\007\n\xffb')"
for verb in why 'why --all' status 'history snmp.udp_rcvbuf_errors' 'history snmp.udp_rcvbuf_errors --values'; do
    # shellcheck disable=SC2086
    run --database "$folder/evil.db" --now "$at_end" $verb
    check "$verb: a name with escape sequences stays a name" printable
done
run --database "$folder/evil.db" --now "$at_end" why
check 'it is shown, escaped' says 10 out 'a\x1b]0;x\x07\x0a\xffb'
run --database "$folder/evil.db" --now "$at_end" why --json
check 'in JSON it is valid' json 'd["ledger"][0]["netns"].startswith("a\x1b]0;x")'
run --database "$folder/evil.db" --now "$at_end" history snmp.udp_rcvbuf_errors --json
check 'in every JSON' json 'd["objects"][0]["keys"]["netns"].startswith("a\x1b]0;x")'

# Odd surroundings
for columns in 0 -5 1 20 nonsense 100000; do
    COLUMNS=$columns ask why
    check "COLUMNS=$columns: the answer is there" grep -q 'lost' "$folder/out"
done
LC_ALL=xx_XX.nowhere ask why
check 'an unknown locale' says 10 out '1,000 datagrams lost'
env -i "$UDPDIAG" --config /dev/null --database "$folder/h.db" --now "$at_end" why >"$folder/out" 2>"$folder/err"
status=$?
check 'an empty environment' says 10 out '1,000 datagrams lost'
TZ=America/New_York run --database "$folder/h.db" --now "$at_end" why --at '2026-11-29 22:07:50' --json
check 'times are local' json 'd["lost"] == 1000 and d["window"]["start"].endswith("-05:00")'
end
