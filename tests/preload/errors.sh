#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# errors.sh PRELOADS ERRORS SEED CALLS LAUNCHER...: wrong calls return on the same ranks, with the same error classes, with the
# preload library and without. A longer run by hand:
#   tests/preload/errors.sh LIBRARY build/release/tests/preload/errors $RANDOM 20000 mpirun -n 4
set -euo pipefail
preloads=$1 errors=$2 seed=$3 calls=$4
shift 4
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

# OUTPUT [VARIABLE=VALUE...]: in a process group of its own, which ends at the time limit.
run() {
    local output=$1
    shift
    timeout -k 5 $((60 + calls / 10)) "${launcher[@]}" env "$@" "$errors" "$seed" "$calls" \
        >"$work/$output" 2>"$work/$output.err" </dev/null && return
    echo "errors: it failed with $* (seed $seed):"
    tail -n 3 "$work/$output"
    head -n 5 "$work/$output.err"
    exit 1
}
launcher=("$@")

run without TOPOMP_REPORT=0
for settings in 'TOPOMP_POLICY=binomial' 'TOPOMP_POLICY=recursive_doubling TOPOMP_NONBLOCKING=1'; do
    # shellcheck disable=SC2086 # words
    run with "LD_PRELOAD=$preloads" TOPOMP_REPORT=1 'TOPOMP_MACHINE=node:2 core:2' TOPOMP_PLACE=round-robin $settings
    diff "$work/without" "$work/with" || { echo "errors: other codes with $settings (seed $seed)"; exit 1; }
    served=$(awk '/^verb/ { table = 1; next } table && NF == 5 { sum += $3 } END { print sum + 0 }' "$work/with.err")
    [ "$served" -gt 0 ] || { echo 'errors: topomp served nothing'; exit 1; }
done
wrong=$(grep -c ', all, \|, one, ' "$work/without") right=$(grep -c ', right, ' "$work/without")
[ $((3 * (wrong - right))) -gt "$calls" ] || { echo "errors: only $((wrong - right)) calls were wrong"; exit 1; }
echo "errors: seed $seed, $((wrong - right)) of $calls calls wrong, and the same codes"
