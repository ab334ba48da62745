#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# report.sh TOPOMP PRELOADS TOOL DLOPENED UNCOMMON REASONS LAUNCHER...: whoever asked for a report gets one, or a line that says
# why none comes; it has a line for each collective that was called, and says why calls were left to the MPI. TOPOMP may be
# missing: an empty word.
set -euo pipefail
topomp=$1 preloads=$2 tool=$3 dlopened=$4 uncommon=$5 reasons=$6
shift 6
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
fail() { echo "report: $1"; cat "$work/out" "$work/err"; exit 1; }
launch=("$@")

# VARIABLE=VALUE... PROGRAM [ARGUMENT...]
try() { "${launch[@]}" 2 env TOPOMP_REPORT=1 "$@" >"$work/out" 2>"$work/err" </dev/null || fail "it failed with $*"; }
told() { grep -c '^topomp-preload: no report, and no call was served: ' "$work/err" || true; }

try "LD_PRELOAD=$tool:$preloads" "$uncommon"
[ "$(told)" -eq 1 ] || fail 'not one line where a tool in front took MPI_Init'
mpi=$(ldd "$uncommon" | awk '/libmpi(ch)?\.so/ && !found++ { print $3 }')
try "LD_PRELOAD=$preloads" "$dlopened" "$mpi"
[ "$(told)" -eq 1 ] || fail 'not one line where the program loads MPI by itself'
try "LD_PRELOAD=$preloads" TOPOMP_REPORT=0 "$dlopened" "$mpi"
[ "$(told)" -eq 0 ] || fail 'a line that nobody asked for'

# What is never topomp's.
"${launch[@]}" 4 env "LD_PRELOAD=$preloads" TOPOMP_REPORT=1 TOPOMP_POLICY=binomial 'TOPOMP_MACHINE=node:2 core:2' "$uncommon" \
    >"$work/out" 2>"$work/err" </dev/null || fail 'the program failed'
[ "$(told)" -eq 0 ] || fail 'no report is said to come, and one comes'
lines=(ialltoallw iscan igatherv bcast_init allgather)
if grep -q 'libmpich' <<<"$mpi"; then lines+=(ialltoallw_c); fi
for verb in "${lines[@]}"; do
    awk -v verb="$verb" '$1 == verb && $2 == 4 && $3 == 0 { found = 1 } END { exit !found }' "$work/err" ||
        fail "no line of 4 calls of $verb that topomp did not serve"
done

# Reasons. VERB REASONS: what the report says of a verb.
explain() {
    "${launch[@]}" 4 env "LD_PRELOAD=$preloads" TOPOMP_REPORT=1 "$@" "$reasons" >"$work/out" 2>"$work/err" </dev/null ||
        fail "it failed with $*"
}
because() { grep -qxF "$1: $2" "$work/err" || fail "not the reasons of $1: $2"; }
explain 'TOPOMP_MACHINE=node:2 core:2'
[ "$(grep -c "^topomp-preload: why calls were the MPI's own$" "$work/err")" -eq 1 ] || fail 'no heading of reasons'
because bcast '8 too few ranks, 4 no data'
because reduce '4 refused arguments'
because scan '4 new communicator'
because barrier '4 communicator being freed'
because allgather '4 inter-communicator'
because ialltoallw '4 not a call that topomp serves'
because ibarrier '4 no thread for non-blocking calls'
because ineighbor_allgather '4 no thread for non-blocking calls'
because cart_create '4 numbers of ranks kept'
explain 'TOPOMP_MACHINE=node:1 core:8'
because gather '4 one level'
explain 'TOPOMP_MACHINE=node:2 core:2' TOPOMP_POLICY=bruck
because gather '4 not served by the policy'
explain 'TOPOMP_MACHINE=node:2 core:2' TOPOMP_VERBS=bcast
because gather '4 not asked for'
because bcast '8 too few ranks, 4 no data'
explain 'TOPOMP_MACHINE=node:2 core:2' TOPOMP_NONBLOCKING=1 TOPOMP_POLICY=bruck
because ibarrier '4 not served by the policy'
because ineighbor_allgather '4 not yet ready for non-blocking calls'
explain 'TOPOMP_MACHINE=node:2 core:2' TOPOMP_POLICY=binomial
! grep -q '^gather: ' "$work/err" || fail 'a reason for calls that topomp served'

[ -n "$topomp" ] || { echo 'report: as documented'; exit 0; }
# A launcher that does not hand the library on.
code=0
"$topomp" run --report -- bash -c 'unset LD_PRELOAD; "$@"; exit 7' bash "${launch[@]}" 2 "$uncommon" >"$work/out" 2>"$work/err" </dev/null || code=$?
[ "$code" -eq 7 ] || fail "exit code $code, not the launcher's"
[ "$(grep -c '^topomp run: no report came' "$work/err")" -eq 1 ] || fail 'topomp run says nothing of a report that does not come'
"$topomp" run --report -- "${launch[@]}" 2 "$uncommon" >"$work/out" 2>"$work/err" </dev/null || fail 'it failed by topomp run'
grep -q '^topomp-preload: calls of all ranks' "$work/err" || fail 'no report by topomp run'
! grep -q '^topomp run:' "$work/err" || fail 'topomp run misses a report that came'
echo 'report: as documented'
