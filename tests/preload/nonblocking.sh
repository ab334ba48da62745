#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# nonblocking.sh PRELOADS RANDOM_CALLS NONBLOCKING LAUNCHER...: whose non-blocking collectives topomp serves, where, and with
# the results of the MPI. RANDOM_CALLS does not ask for threads, NONBLOCKING does.
set -euo pipefail
preloads=$1 random_calls=$2 nonblocking=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
fail() { echo "nonblocking: $1"; cat "$work/out" "$work/err"; exit 1; }
launcher=("$@")

# VARIABLE=VALUE... PROGRAM [ARGUMENT...]
try() {
    "${launcher[@]}" env "LD_PRELOAD=$preloads" "TOPOMP_MACHINE=node:3 core:2" TOPOMP_REPORT=1 "$@" \
        >"$work/out" 2>"$work/err" || fail "it failed with $*"
}
served() { awk -v verb="$1" '/^verb/ { table = 1 } table && $1 == verb { print $3 }' "$work/err"; }
calls=100
random() { try "$@" "$random_calls" 11 "$calls" nonblocking; grep -q 'all results are those of the MPI' "$work/out"; }

calls=2000 random TOPOMP_NONBLOCKING=1 # automatic leaves those of young communicators to the MPI
for verb in ibarrier ibcast ireduce iallreduce iallgather iallgatherv ireduce_scatter iscan iexscan; do
    [ "$(served $verb)" -gt 0 ] || fail "no $verb was served"
done
for verb in ialltoall ialltoallv igather iscatter igatherv iscatterv; do
    [ "$(served $verb)" -eq 0 ] || fail "automatic served $verb"
done
for place in core round-robin; do # whose nodes are no intervals of ranks
    calls=160 random TOPOMP_NONBLOCKING=1 TOPOMP_POLICY=binomial TOPOMP_PLACE=$place
    for verb in igather iscatter igatherv iscatterv iallgatherv ireduce_scatter; do
        [ "$(served $verb)" -gt 0 ] || fail "no $verb was served with $place"
    done
    calls=160 random TOPOMP_NONBLOCKING=1 TOPOMP_POLICY=in_order_binary TOPOMP_PLACE=$place
    for verb in iscan iexscan ireduce_scatter; do
        [ "$(served $verb)" -gt 0 ] || fail "no $verb was served with $place"
    done
done
random TOPOMP_NONBLOCKING=1 "TOPOMP_POLICY=lanes<chain, linear>"
[ "$(served iallgatherv)" -gt 0 ] || fail 'no iallgatherv was served along lanes'
random TOPOMP_NONBLOCKING=1 TOPOMP_POLICY=pairwise
[ "$(served ialltoallv)" -gt 0 ] || fail 'no ialltoallv was served'
random TOPOMP_NONBLOCKING=1 TOPOMP_POLICY=bruck
[ "$(served ialltoall)" -gt 0 ] || fail 'no ialltoall was served'
[ "$(served ibcast)" -eq 0 ] || fail 'bruck served ibcast'
for policy in ring pairwise rabenseifner recursive_doubling dissemination binomial native; do
    random TOPOMP_NONBLOCKING=1 TOPOMP_POLICY=$policy
done
[ "$(served ibcast)" -eq 0 ] || fail 'native served ibcast, which it cannot'
calls=2000 random TOPOMP_NONBLOCKING=1 TOPOMP_VERBS=bcast,ireduce
[ "$(served ireduce)" -gt 0 ] || fail 'no ireduce was served'
[ "$(served ibcast)" -eq 0 ] || fail 'ibcast was served, and not asked for'
random TOPOMP_POLICY=binomial
[ "$(served ibcast)" -eq 0 ] || fail 'ibcast was served in a program without threads'

try "$nonblocking"
[ "$(served ibcast)" -gt 0 ] || fail 'no ibcast was served in a program with threads'
try TOPOMP_POLICY=binomial "$nonblocking" served
grep -qx 'freed communicators: 0 wrong' "$work/out" || fail 'collectives went wrong whose communicators were freed'
try TOPOMP_NONBLOCKING=0 "$nonblocking"
[ "$(served ibcast)" -eq 0 ] || fail 'ibcast was served, and not wanted'
[ "$(served bcast)" -gt 0 ] || fail 'no bcast was served'
echo 'nonblocking: as documented'
