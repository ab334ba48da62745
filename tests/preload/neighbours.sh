#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# neighbours.sh PRELOADS NEIGHBOURS LAUNCHER...: which collectives of neighbours topomp serves, by the library's variables.
set -euo pipefail
preloads=$1 neighbours=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
fail() { echo "neighbours: $1"; cat "$work/out" "$work/err"; exit 1; }
launcher=("$@")

calls=120
# VARIABLE=VALUE...
try() {
    "${launcher[@]}" env "LD_PRELOAD=$preloads" 'TOPOMP_MACHINE=node:2 core:2' TOPOMP_REPORT=1 "$@" "$neighbours" 3 "$calls" \
        >"$work/out" 2>"$work/err" </dev/null || fail "it failed with $*"
}
served() { awk -v verb="$1" '/^verb/ { table = 1 } table && $1 == verb { print $3 }' "$work/err"; }

verbs=(neighbor_allgather neighbor_allgatherv neighbor_alltoall neighbor_alltoallv neighbor_alltoallw)
try TOPOMP_POLICY=binomial
for verb in "${verbs[@]}"; do
    for form in "$verb" "i$verb" "${verb}_init"; do
        [ "$(served "$form")" -gt 0 ] || fail "topomp did not serve $form"
    done
done
calls=400 # few communicators are ready, for nothing else is asked for
try TOPOMP_POLICY=binomial TOPOMP_VERBS=bcast,ineighbor_alltoallv
calls=120
[ "$(served ineighbor_alltoallv)" -gt 0 ] || fail 'topomp did not serve ineighbor_alltoallv, which was asked for'
[ "$(served neighbor_alltoallv_init)" -gt 0 ] || fail 'topomp did not serve neighbor_alltoallv_init, which was asked for'
for verb in ineighbor_allgather neighbor_alltoallv neighbor_allgather_init; do
    [ "$(served "$verb")" -eq 0 ] || fail "topomp served $verb, which was not asked for"
done
try TOPOMP_POLICY=binomial TOPOMP_VERBS=bcast,neighbor_alltoall
[ "$(served neighbor_alltoall)" -gt 0 ] || fail 'topomp did not serve neighbor_alltoall, which was asked for'
for verb in neighbor_allgather neighbor_allgatherv neighbor_alltoallv neighbor_alltoallw; do
    [ "$(served "$verb")" -eq 0 ] || fail "topomp served $verb, which was not asked for"
    grep -qE "^$verb: [0-9]+ not asked for" "$work/err" || fail "no reason of $verb"
done
try TOPOMP_POLICY=flat
for verb in "${verbs[@]}"; do
    [ "$(served "$verb")" -eq 0 ] || fail "topomp served $verb with the policy flat"
done
echo 'neighbours: as documented'
