#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# same_output.sh PRELOADS LEAST PROGRAM LAUNCHER...: PROGRAM, started by LAUNCHER, prints the same with the libraries
# preloaded as without, on a made-up machine, with a policy that each communicator has from its first call; and the report tells of at least LEAST calls that went to topomp.
set -euo pipefail
preloads=$1 least=$2 program=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

"$@" "$program" >"$work/without"
"$@" env "LD_PRELOAD=$preloads" TOPOMP_REPORT=1 "TOPOMP_MACHINE=node:2 core:2" TOPOMP_PLACE=round-robin \
    TOPOMP_POLICY=binomial "$program" >"$work/with" 2>"$work/report"
[ -s "$work/without" ] || { echo "$program printed nothing"; exit 1; }
diff "$work/without" "$work/with" || { echo "it prints something else with the library"; cat "$work/report"; exit 1; }
served=$(awk '/^verb/ { table = 1; next } table && NF == 5 { sum += $3 } END { print sum + 0 }' "$work/report")
[ "$served" -ge "$least" ] || { cat "$work/report"; echo "topomp served $served calls, not $least"; exit 1; }
echo "the same, and topomp served $served calls"
