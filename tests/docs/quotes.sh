#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# quotes.sh ROOT TOPOMP: what the pages quote is what there is.
#
# A block of code behind the line '<!-- FILE NAME -->' is the part of FILE between its two lines '//! [NAME]'.
# One behind '<!-- FILE -->' is lines of FILE, one after another; they may be indented further in FILE and in the page.
# A block that starts with '$ topomp ARGUMENTS' goes on with what that command prints.
set -euo pipefail
cd "$1"
topomp=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

shopt -s nullglob
pages=(./*.md docs/*.md)
# Each block becomes a file; the line in front of it, if it is a comment, its first line.
awk -v work="$work" '
    FNR == 1 { inside = 0 }
    /^```/ {
        inside = !inside
        if (inside) { file = sprintf("%s/%04d", work, ++count); print FILENAME ":" FNR "|" before >file } else close(file)
        next
    }
    inside { print >>file }
    { before = $0 }
' "${pages[@]}"

checked=0 failed=0
compare() { # WHERE EXPECTED ACTUAL
    checked=$((checked + 1))
    if ! diff -u "$2" "$3"; then
        echo "$1: this block is not what it quotes (- what there is, + what the page says)"
        failed=$((failed + 1))
    fi
}
# Whether the lines of BLOCK stand in FILE one after another, all indented by as much more or less.
find_lines() { # WHERE FILE BLOCK
    checked=$((checked + 1))
    [ -s "$3" ] || { echo "$1: an empty block"; failed=$((failed + 1)); return; }
    if ! awk '
        function bare(text) { sub(/^ +/, "", text); return text }
        function indent(text) { match(text, /[^ ]|$/); return RSTART - 1 }
        FNR == NR { block[FNR] = $0; wanted = FNR; next }
        { line[FNR] = $0 }
        END {
            for (at = 0; at + wanted <= FNR; ++at) {
                for (i = 1; i <= wanted && bare(line[at + i]) == bare(block[i]); ++i)
                    if (block[i] != "" && indent(line[at + i]) - indent(block[i]) != indent(line[at + 1]) - indent(block[1])) break
                if (i > wanted) exit 0
            }
            exit 1
        }
    ' "$3" "$2"; then
        echo "$1: these lines are not in $2:"
        cat "$3"
        failed=$((failed + 1))
    fi
}
for block in "$work"/????; do
    IFS='|' read -r where before <"$block"
    sed 1d "$block" >"$work/body"
    if [[ $before =~ ^'<!-- '([^ ]+)' '([^ ]+)' -->'$ ]]; then
        marker="//! [${BASH_REMATCH[2]}]"
        awk -v marker="$marker" '{ line = $0; sub(/^ +/, "", line) } line == marker { inside = !inside; next } inside' \
            "${BASH_REMATCH[1]}" >"$work/there"
        [ -s "$work/there" ] || { echo "$where: no $marker in ${BASH_REMATCH[1]}"; exit 1; }
        compare "$where" "$work/there" "$work/body"
    elif [[ $before =~ ^'<!-- '([^ ]+)' -->'$ ]]; then
        find_lines "$where" "${BASH_REMATCH[1]}" "$work/body"
    elif command=$(sed -n '1s/^\$ topomp //p' "$work/body") && [ -n "$command" ]; then
        { head -n 1 "$work/body"; eval "\"\$topomp\" $command"; } >"$work/there"
        compare "$where" "$work/there" "$work/body"
    fi
done
echo "$checked quotations checked, $failed wrong"
[ "$checked" -gt 0 ] && [ "$failed" -eq 0 ]
