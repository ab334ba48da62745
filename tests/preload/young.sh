#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# young.sh PRELOADS YOUNG LAUNCHER...: a communicator's calls become topomp's when they have taken as long as a hierarchy costs,
# on all its ranks at the same call; those of communicators with few calls never do.
set -euo pipefail
preloads=$1 young=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
fail() { echo "young: $1"; cat "$work/out" "$work/err"; exit 1; }
launch=("$@")

# RANKS MODE SECONDS
try() {
    "${launch[@]}" "$1" env "LD_PRELOAD=$preloads" TOPOMP_REPORT=1 'TOPOMP_MACHINE=node:2 core:4' TOPOMP_PLACE=round-robin \
        "$young" "${@:2}" >"$work/out" 2>"$work/err" </dev/null || fail "it failed: $*"
}
column() { awk -v verb="$1" -v column="$2" '/^verb/ { table = 1 } table && $1 == verb { print $column }' "$work/err"; }

try 4 few 0
for verb in bcast allreduce; do
    [ "$(column $verb 3)" -eq 0 ] || fail "topomp served $verb on a communicator with few calls"
    grep -qx "$verb: $(column $verb 2) new communicator" "$work/err" || fail "$verb was left to the MPI for another reason"
done

# At 8, 16, 32 and so on calls of a communicator, half of them of each verb, its ranks decide: so many are the MPI's on each.
for mode in many uneven; do
    for ranks in 3 4; do
        try "$ranks" "$mode" 2
        own=$(sed -n 's/^allreduce: \([0-9]*\) new communicator$/\1/p' "$work/err")
        [ "$(column allreduce 3)" -gt 0 ] || fail "topomp served nothing in 2 seconds ($mode)"
        [ $((own % ranks)) -eq 0 ] || fail "ranks did not begin at the same call ($mode)"
        each=$((2 * own / ranks))
        [ "$each" -ge 8 ] && [ $((each & (each - 1))) -eq 0 ] || fail "$each calls were the MPI's ($mode)"
    done
done
echo 'young: as documented'
