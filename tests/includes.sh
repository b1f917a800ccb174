#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Folder dependencies: who may include whom. An arrow that is not listed here fails.
set -u
root=${1:?usage: includes.sh SOURCE_FOLDER}
[ -d "$root/core" ] || { echo "Bail out! no such source folder: $root"; exit 1; }
allowed='
core: core
collectors: core collectors
formats: core formats
rules: core rules
lab: core lab
daemon: core collectors rules daemon
cli: core collectors formats rules lab cli
'
echo 1..1
bad=$(
    cd "$root" || exit 1
    for folder in core collectors formats rules lab daemon cli; do
        [ -d "$folder" ] || continue
        may=$(printf '%s' "$allowed" | sed -n "s/^$folder://p")
        grep -n '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$folder"/*.[ch] "$folder"/*/*.[ch] 2>/dev/null | while IFS= read -r line; do
            target=$(printf '%s' "$line" | sed 's/.*#include "\([^"]*\)".*/\1/')
            case " $may " in
                *" ${target%%/*} "*) ;;
                *) printf '# %s\n' "$line" ;;
            esac
        done
    done
)
if [ -z "$bad" ]; then
    echo 'ok 1 - folders include only what they may'
else
    printf '%s\nnot ok 1 - folders include only what they may\n' "$bad"
fi
