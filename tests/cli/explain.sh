#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What a cause means, from its rule.
. "$(dirname "$0")/cli.sh"

run explain rp-filter
check 'explain: the title, without what only some results have' first_line \
    "$(sed -n 's/^-- title  *//p' "$(dirname "$FIXTURES")/../rules/rp-filter.sql" | sed 's/{[a-z_]*}$//')"
check 'explain: what it is' says 0 out 'a cause of loss by the reverse-path filter; warning; built in'
check 'explain: evidence, remedies, what not, thresholds, references' eval \
    'grep -q "^evidence " "$folder/out" && grep -q "^do " "$folder/out" && grep -q "^threshold " "$folder/out" && grep -q "^reference " "$folder/out"'
check 'explain: no placeholder is left' eval '! grep -q "[{}]" "$folder/out"'
check 'explain: nothing on the standard error' [ ! -s "$folder/err" ]

# Every rule, as far as it can be wrapped: commands stand alone on their line.
run rules --json
ids=$(python3 -c 'import json,sys; print(*[r["id"] for r in json.load(open(sys.argv[1]))["rules"]])' "$folder/out")
wrong=
for id in $ids; do
    run explain "$id"
    [ "$status" = 0 ] && ! grep -q '{[a-z_:]*}' "$folder/out" || wrong="$wrong $id"
    LC_ALL=C.UTF-8 awk 'length($0) > 80 && !/^(undo|    )          / { exit 1 }' "$folder/out" || wrong="$wrong $id(wide)"
done
if [ -z "$wrong" ]; then ok 'explain: every rule'; else not_ok 'explain: every rule' "$wrong"; fi

run explain rp-filter --json
check 'explain --json' json 'd["id"] == "rp-filter" and d["locus"] == "rp-filter" and d["kind"] == "cause" and d["evidence"][0]["text"] and d["do"][0]["text"] and d["references"] and d["needs"]'
check 'explain --json: thresholds with their reason' json 'all(t["name"] and t["value"] for t in d["thresholds"])'
run explain disk-fill
check 'explain: a level says its sentence' says 0 out 'MOUNT is FILL_PERCENT full'
run explain rp-filtr
check 'explain: a wrong id' one_line 2 'there is no rule rp-filtr, did you mean rp-filter?'
run explain
check 'explain: no id' one_line 2 'explain needs CAUSE'

# A rule of one's own is explained the same way, a masked one by who masks it
mkdir "$folder/rules"
ln -s /dev/null "$folder/rules/rp-filter.sql"
cat >"$folder/rules/mine.sql" <<'END'
-- rule       mine
-- kind       note
-- explains   -
-- text       Mine is {value} of {{all}}
-- needs      snmp
SELECT 1 AS value
END
printf '[rules]\ndirectory = %s/rules\n' "$folder" >"$folder/test.conf"
"$UDPDIAG" --config "$folder/test.conf" explain mine >"$folder/out" 2>"$folder/err"
status=$?
check 'explain: a rule of the configuration' eval 'says 0 out "Mine is VALUE of {all}" && says 0 out "$folder/rules/mine.sql"'
"$UDPDIAG" --config "$folder/test.conf" explain rp-filter >"$folder/out" 2>"$folder/err"
status=$?
check 'explain: a masked rule' says 0 out 'warning; masked by'
end
