#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# persistent.sh MPI PRELOADS RANDOM_CALLS PERSISTENT LAUNCHER...: whose persistent collectives topomp serves, where, and with the
# results of the MPI. RANDOM_CALLS does not ask for threads, PERSISTENT does.
set -euo pipefail
mpi=$1 preloads=$2 random_calls=$3 persistent=$4
shift 4
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
fail() { echo "persistent: $1"; cat "$work/out" "$work/err"; exit 1; }
launcher=("$@")

# VARIABLE=VALUE... PROGRAM [ARGUMENT...]
try() {
    "${launcher[@]}" env "LD_PRELOAD=$preloads" "TOPOMP_MACHINE=node:3 core:2" TOPOMP_REPORT=1 "$@" \
        >"$work/out" 2>"$work/err" || fail "it failed with $*"
}
served() { awk -v verb="$1" '/^verb/ { table = 1 } table && $1 == verb { print $3 }' "$work/err"; }

for place in core round-robin; do # whose nodes are no intervals of ranks
    try TOPOMP_POLICY=binomial TOPOMP_PLACE=$place "$persistent" served
    for verb in barrier bcast reduce allreduce gather scatter gatherv scatterv allgather allgatherv reduce_scatter reduce_scatter_block scan exscan; do
        [ "$(served ${verb}_init)" -gt 0 ] || fail "no ${verb}_init was served"
    done
done

# MPICH's own (4.0.2) are wrong, and the random calls mix them with topomp's.
[ "$mpi" != mpich ] || { echo 'persistent: as documented'; exit 0; }
random() { try "$@" "$random_calls" 12 "$calls" persistent; grep -q 'all results are those of the MPI' "$work/out"; }
calls=300 random TOPOMP_NONBLOCKING=1 # automatic serves communicators from their first persistent collective on
for verb in bcast reduce allreduce allgather reduce_scatter_block scan; do
    [ "$(served ${verb}_init)" -gt 0 ] || fail "automatic served no ${verb}_init"
done
calls=120
for policy in pairwise ring bruck recursive_doubling; do
    random TOPOMP_NONBLOCKING=1 TOPOMP_POLICY=$policy
    [ $policy != pairwise ] || [ "$(served alltoallv_init)" -gt 0 ] || fail 'no alltoallv_init was served'
done
[ "$(served scan_init)" -eq 0 ] || fail 'recursive_doubling served scan_init'
random TOPOMP_POLICY=binomial
[ "$(served bcast_init)" -eq 0 ] || fail 'bcast_init was served in a program without threads'
random TOPOMP_NONBLOCKING=1 TOPOMP_POLICY=binomial TOPOMP_VERBS=ibcast
[ "$(served bcast_init)" -gt 0 ] || fail 'no bcast_init was served'
[ "$(served reduce_init)" -eq 0 ] || fail 'reduce_init was served, and not asked for'
echo 'persistent: as documented'
