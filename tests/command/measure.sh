#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# topomp measure: what it writes has its form, with a line for everything that can be measured and no number that cannot
# be; bad input is one line and exit status 2. How long anything takes is not looked at.
. "$(dirname "${BASH_SOURCE[0]}")/support.sh"

# measures RANKS "LEVELS" FLOWS ARGUMENTS...: these levels, and with at most so many ranks at a time.
measures() {
    local ranks=$1 levels=$2 flows=$3
    shift 3
    run timeout 200 "${launch[@]}" "$ranks" "$topomp" measure --seconds 0.01 --output "$work/found" "$@"
    [ "$status" -eq 0 ] || fail "exit status $status: measure $*"
    [ ! -s "$work/out" ] || fail "something on standard output: measure $*"
    cp "$work/found" "$work/out"
    local is_noisy=0
    ! grep -q '^topomp measure: too noisy: ' "$work/err" || is_noisy=1
    awk -v levels="$levels" -v most="$flows" -v is_noisy="$is_noisy" '
        function wrong(why) { print "line " NR ": " why ": " $0; bad = 1 }
        function is_positive(text) { return text ~ /^[0-9.]+(e[-+]?[0-9]+)?$/ && text + 0 > 0 && text + 0 < 1e15 }
        /^#/ { next }
        { ++seen[$1] }
        $1 == "format" { if ($0 != "format 1") wrong("not format 1"); next }
        $1 == "note" && $2 == "unusable" { next } # said in predict.sh
        $1 == "note" { if (NF < 3) wrong("an empty note"); notes = notes " " $2; next }
        $1 == "level" { found = found $0 ";"; bytes = -1; next }
        $1 == "message" {
            if (NF != 6 || $2 <= bytes) wrong("not six words, or lengths that do not ascend")
            bytes = $2
            for (i = 3; i <= 6; ++i) if (!is_positive($i)) wrong("not a time")
            next
        }
        $1 == "spread" {
            if (NF != 6) wrong("not six words")
            for (i = 2; i <= 6; ++i) if ($i !~ /^[0-9.]+(e[-+]?[0-9]+)?$/) wrong("not a number")
            if ($6 > widest) widest = $6
            next
        }
        $1 == "latency" { if (NF != 2 || ($2 != 0 && !is_positive($2))) wrong("not a time"); next }
        $1 == "copy" || $1 == "flows" {
            if (NF != 3 || !is_positive($2) || !is_positive($3)) wrong("not two positive numbers")
            if ($1 == "flows" && $2 > flows) flows = $2
            next
        }
        $1 == "flag" || $1 == "outside" { if (NF != 2 || !is_positive($2)) wrong("not a positive number"); next }
        { wrong("an unknown line") }
        END {
            if (found != levels) wrong("levels are " found " not " levels)
            if (notes != " date host processor cpus ranks mpi compiler topomp") wrong("notes are" notes)
            if (seen["format"] != 1 || seen["copy"] < 3) wrong("no format, or no copies")
            if (seen["latency"] != seen["level"] || seen["flag"] != seen["level"]) wrong("a level lacks something")
            if (seen["message"] != 9 * seen["level"]) wrong("not nine lengths a level")
            if (seen["spread"] != seen["message"]) wrong("not a spread for each length")
            if ((widest > 0.25) != is_noisy) wrong("spreads of " widest ", but it " (is_noisy ? "says" : "does not say") " that this is too noisy")
            if (seen["outside"] != (most > 1)) wrong("not one rate to the outside")
            if (flows != most) wrong(flows " ranks at a time, not " most)
            exit bad
        }' "$work/found" >"$work/err" || fail "measure $*"
    checked=$((checked + 1))
}

measures 2 "level 2 System - Cluster;" 1 --machine "node:2 core:1"
measures 6 "level 2 System - Cluster;level 3 Machine;" 3 --machine "node:2 core:3"
measures 5 "level 2 System - Cluster;level 2 Machine;level 2 Package;" 2 --machine "node:2 package:2 core:2"

bad() { # RANKS PATTERN ARGUMENTS...
    local ranks=$1 pattern=$2
    shift 2
    if [ "$ranks" -eq 0 ]; then
        run timeout 60 "$topomp" measure "$@"
    else
        run timeout 60 "${launch[@]}" "$ranks" "$topomp" measure "$@"
    fi
    [ "$status" -eq 2 ] || fail "exit status $status, not 2: measure $*"
    [ ! -s "$work/out" ] || fail "something on standard output: measure $*"
    [ "$(grep -c '^topomp: ' "$work/err")" -eq 1 ] || fail "not one line from topomp: measure $*"
    grep -q -- "^topomp: .*$pattern" "$work/err" || fail "no '$pattern': measure $*"
    checked=$((checked + 1))
}
bad 0 'mpirun -n 2 topomp measure'
bad 0 '--foo' --foo
bad 1 'it takes two'
bad 2 '--seconds' --seconds -1
bad 2 '--seconds' --seconds soon
bad 2 'unknown kind .foo' --machine "node:2 foo:3"
bad 2 '/nowhere/file: No such file' --output /nowhere/file
