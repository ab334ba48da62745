#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# settings.sh PRELOADS PROGRAM LAUNCHER...: what the library's environment variables do.
set -euo pipefail
preloads=$1 program=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
fail() { echo "settings: $1"; cat "$work/out" "$work/err"; exit 1; }

# VARIABLE=VALUE...: runs the program with these.
try() {
    "$launch" "${arguments[@]}" env "LD_PRELOAD=$preloads" "TOPOMP_MACHINE=node:2 core:2" "$@" "$program" 5 60 \
        >"$work/out" 2>"$work/err" || fail "it failed with $*"
    grep -q 'all results are those of the MPI' "$work/out" || fail "wrong results with $*"
}
launch=$1
arguments=("${@:2}")
served() { awk -v verb="$1" '/^verb/ { table = 1 } table && $1 == verb { print $3 }' "$work/err"; }
calls() { awk '/^verb/ { table = 1; next } table && NF == 5 { sum += $3 } END { print sum + 0 }' "$work/err"; }

try TOPOMP_POLICY=automatic
[ ! -s "$work/err" ] || fail 'it talks without being asked'
try TOPOMP_REPORT=1
[ "$(calls)" -gt 50 ] || fail 'topomp served nothing'
for off in TOPOMP_PRELOAD=off TOPOMP_PRELOAD=grids TOPOMP_POLICY=flat; do
    try TOPOMP_REPORT=1 "$off"
    [ "$(calls)" -eq 0 ] || fail "topomp served calls with $off"
done
try TOPOMP_REPORT=1 TOPOMP_VERBS=exscan,scatterv TOPOMP_PRELOAD=collectives,grids
[ "$(served exscan)" -gt 0 ] || fail "exscans were left to the MPI"
[ "$(calls)" -eq $(($(served exscan) + $(served scatterv))) ] || fail 'other verbs were served than those asked for'
try TOPOMP_REPORT=1 TOPOMP_POLICY=bruck # which serves two verbs
[ "$(served allgather)" -gt 0 ] || fail 'bruck did not serve allgather'
[ "$(served reduce)" -eq 0 ] || fail 'bruck served reduce'

# With times of its own that it learns from, it may leave verbs to the MPI, but not a wrong result.
try TOPOMP_REPORT=1 TOPOMP_TUNING=adaptive
[ "$(calls)" -gt 20 ] || fail 'topomp served nothing while it learnt'
! grep -q TOPOMP_TUNING "$work/err" || fail 'it complains about adaptive'

# A value that is not known counts as not set, and one line for each says which are.
try TOPOMP_PRELOAD=on TOPOMP_VERBS=scan,broadcast TOPOMP_POLICY=best TOPOMP_MACHINE=nodes:2 TOPOMP_PLACE=core-by-core \
    TOPOMP_REPORT=yes TOPOMP_NONBLOCKING=maybe
[ "$(wc -l <"$work/err")" -eq 7 ] || fail 'not one line for each unknown value'
for told in 'TOPOMP_PRELOAD=on: off, or some of collectives,grids,cart_map,dims_create' 'TOPOMP_VERBS=scan,broadcast: bcast' 'TOPOMP_POLICY=best: native' \
    'TOPOMP_MACHINE=nodes:2: node:2' 'TOPOMP_PLACE=core-by-core: round-robin' 'TOPOMP_REPORT=yes: 0, 1' \
    'TOPOMP_NONBLOCKING=maybe: 0, 1'; do
    grep -F "${told%%: *}: not known" "$work/err" | grep -qF -- "${told#*: }" || fail "no accepted values of ${told%%: *}"
done
echo 'settings: as documented'
