#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# tables.sh [--write] ROOT NAME PROGRAM: the table behind the line '<!-- table NAME -->' of a page is what PROGRAM prints.
# With --write the page gets it.
set -euo pipefail
is_written=
[ "$1" != --write ] || { is_written=yes; shift; }
cd "$1"
mark="<!-- table $2 -->"
program=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$program" >"$work/there"
[ -s "$work/there" ] || { echo "$program prints nothing"; exit 1; }

shopt -s nullglob
found=0
for page in *.md docs/*.md; do
    grep -qxF -e "$mark" "$page" || continue
    found=$((found + 1))
    if [ "$is_written" ]; then
        awk -v mark="$mark" -v table="$work/there" '
            !skipped || !/^\|/ { skipped = 0; print }
            $0 == mark { while ((getline line <table) > 0) print line; close(table); skipped = 1 }
        ' "$page" >"$work/page"
        cat "$work/page" >"$page"
    fi
    awk -v mark="$mark" 'inside && !/^\|/ { exit } inside { print } $0 == mark { inside = 1 }' "$page" >"$work/body"
    if ! diff -u "$work/there" "$work/body"; then
        echo "$page: this table is not what $program prints (- what it prints, + what the page says);" \
            "tests/docs/tables.sh --write . $2 $program writes it"
        exit 1
    fi
done
echo "$found tables checked"
[ "$found" -gt 0 ]
