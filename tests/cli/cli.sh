# SPDX-License-Identifier: GPL-2.0-or-later
# Command line tests
#
# Sourced by the suites. They run the built program (UDPDIAG) and assert on what a user sees: exit status, standard output,
# standard error. MAKE_DATABASE writes histories, FIXTURES holds directories of /proc files.
set -u
folder=$(mktemp -d "${TMPDIR:-/tmp}/udpdiag-cli-XXXXXX")
trap 'rm -rf "$folder"' EXIT
tests=0
failures=0
export LC_ALL=C TZ=UTC COLUMNS=80
unset NO_COLOR

ok() { # TEXT
    tests=$((tests + 1))
    echo "ok $tests - $1"
}

not_ok() { # TEXT [DETAIL]
    tests=$((tests + 1))
    failures=$((failures + 1))
    echo "not ok $tests - $1"
    [ -z "${2:-}" ] || printf '%s\n' "$2" | sed 's/^/# /'
}

skip() { # TEXT REASON
    tests=$((tests + 1))
    echo "ok $tests - $1 # SKIP $2"
}

end() {
    echo "1..$tests"
    [ "$failures" = 0 ]
    exit
}

# Runs udpdiag with the configuration of this folder. Sets $status; what it wrote is in $folder/out and $folder/err.
run() { # ARGUMENT...
    "$UDPDIAG" --config /dev/null "$@" >"$folder/out" 2>"$folder/err"
    status=$?
}

seen() { printf 'status %s\nout:\n%s\nerr:\n%s\n' "$status" "$(head -c 3000 "$folder/out")" "$(head -c 2000 "$folder/err")"; }

check() { # TEXT COMMAND...
    local text=$1
    shift
    if "$@"; then ok "$text"; else not_ok "$text" "$(seen)"; fi
}

says() { # STATUS STREAM-WITH-TEXT(out|err) TEXT: exit status, and a text (fixed string) in that stream
    [ "$status" = "$1" ] && grep -qF -- "$3" "$folder/$2"
}

first_line() { # TEXT: of the standard output
    [ "$(head -n 1 "$folder/out")" = "$1" ]
}

# One line of complaint, nothing else.
one_line() { # STATUS TEXT
    says "$1" err "$2" && [ "$(wc -l <"$folder/err")" = 1 ] && [ ! -s "$folder/out" ]
}

# Whether a Python expression about the document `d` holds.
json() { # EXPRESSION
    python3 - "$folder/out" "$1" <<'END'
import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    d = json.load(file)
sys.exit(0 if eval(sys.argv[2]) else 1)
END
}

wide() { # COLUMNS: no line of the output is longer
    LC_ALL=C.UTF-8 awk -v most="$1" 'length($0) > most { exit 1 }' "$folder/out"
}

printable() { # no control character but the newline reached the output or the errors
    ! LC_ALL=C grep -q '[[:cntrl:]]' "$folder/out" "$folder/err"
}

# 2026-11-30 03:12:45 UTC
end_ms=1796008365000
at_end='@1796008365'
