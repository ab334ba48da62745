#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# typed.sh PRELOADS TYPED FORTRAN FORTRAN_F08 LAUNCHER...: TYPED prints the same with the library as without; by which
# policies topomp serves MPI_Alltoallw, and why it does not by others. The programs in Fortran may be missing: empty words.
set -euo pipefail
preloads=$1 typed=$2 fortran=("$3" "$4")
shift 4
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
fail() { echo "typed: $1"; cat "$work/out" "$work/err"; exit 1; }
launcher=("$@")

program=("$typed" 5 60)
without() { "${launcher[@]}" 4 "${program[@]}" >"$work/without" </dev/null || { cat "$work/without"; exit 1; } }
# LEAST VARIABLE=VALUE...: topomp serves so many of the calls of all ranks, or a few more that move nothing; 0: none.
try() {
    local least=$1
    shift
    "${launcher[@]}" 4 env "LD_PRELOAD=$preloads" 'TOPOMP_MACHINE=node:2 core:2' TOPOMP_REPORT=1 "$@" "${program[@]}" \
        >"$work/out" 2>"$work/err" </dev/null || fail "it failed with $*"
    diff "$work/without" "$work/out" || fail "it prints something else with $*"
    served=$(awk '$1 == "alltoallw" { print $3 }' "$work/err")
    [ "$served" -ge "$least" ] || fail "topomp served $served calls, not $least, with $*"
    [ "$least" -gt 0 ] || [ "$served" -eq 0 ] || fail "topomp served $served calls with $*"
}
because() { grep -qE "^alltoallw: .*[0-9]+ $1" "$work/err" || fail "no calls with the reason '$1'"; }

without
grep -qx '60 calls are right' "$work/without" || { cat "$work/without"; exit 1; }
all=$((4 * 61)) # each rank's, with the one of the wrong calls that is right
try $all
try $all TOPOMP_POLICY=node_aggregated
try $all 'TOPOMP_POLICY=k_ary_bruck<2, 64>' TOPOMP_PLACE=round-robin
try $all TOPOMP_POLICY=pairwise
try $all TOPOMP_POLICY=shared
try $all TOPOMP_TUNING=adaptive
try 0 TOPOMP_POLICY=binomial
because 'not served by the policy'
try 0 TOPOMP_VERBS=alltoallv
because 'not asked for'

for name in "${fortran[@]}"; do
    [ -n "$name" ] || continue
    program=("$name")
    without
    try 8 TOPOMP_POLICY=node_aggregated
done
echo 'typed: as documented'
