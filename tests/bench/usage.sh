#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# usage.sh BENCH FOLDER: wrong usage of the scripts that measure is refused in one line with exit code 2, before anything is built or measured.
set -euo pipefail

readonly bench=$1
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
failures=0

refused() { # EXPECTED ARGS...: part of the message
    local expected=$1 code=0 output
    shift
    output=$(TOPOMP_BENCH_RESULTS=$work/results "$bench" "$@" 2>&1) || code=$?
    if ((code != 2)) || [[ $output != *"$expected"* || $output == *$'\n'* ]]; then
        echo "FAILED: bench $*: exit code $code: $output" >&2
        failures=$((failures + 1))
    fi
}

mkdir "$work/empty" "$work/broken"
echo 'no json' >"$work/broken/samples.jsonl"

refused "no such place: 'moon'" moon
refused 'unknown option: --fast' sim --fast
refused '--bytes needs a value' sim --bytes
refused "--bytes wants numbers such as 8,512, not '8,,9'" sim --bytes 8,,9
refused "no such verb: 'send'; known are barrier broadcast" local --verb broadcast,send
refused 'all_to_allv_sparse all_gatherv all_gatherv_skewed all_gatherv_power all_gatherv_single neighbour_all_to_all_5' sim --verb neighbour_all_to_all
refused 'no verb given' local --verb ''
refused "no such platform: 'moon'; known are ntw10e5 ntw24e5 smp20e7 smp12e5 dragonfly" sim --platform moon
refused "no such platform: 'dragonfly'; known are shaped unshaped" cluster --platform dragonfly
refused "no such platform: '0ranks'; known are cores twice" local --platform 0ranks
refused '999999ranks: there are' local --platform 999999ranks
refused "halo has no place 'local'; known are sim cluster" halo local
refused "no such verb: 'broadcast'; known are halo_2d halo_3d stencil" halo sim --verb broadcast
refused "no such platform: 'ntw10e5'; known are fat_tree_256" halo sim --platform ntw10e5
refused "hybrid has no place 'sim'; known are local cluster" hybrid sim
refused "no such verb: 'scan'; known are broadcast all_gather all_reduce reduce gather scatter all_to_all" hybrid local --verb scan
refused "--limit wants a number of seconds, not 'soon'" sim --limit soon
refused 'show wants one results folder' show
refused 'no samples in' show "$work/empty"
refused 'these are no samples of scripts/bench' show "$work/broken"
refused 'compare wants two results folders' compare "$2/old"
refused 'compare wants two results folders' compare "$2/old" "$2/new" "$2/new"
refused "no samples in $work/missing" compare "$2/old" "$work/missing"
refused "--threshold wants a number of percent, not 'much'" compare "$2/old" "$2/new" --threshold much
refused '--threshold needs a value' compare "$2/old" "$2/new" --threshold
for script in reproduce tune bench-models bench-hierarchy bench-mapping bench-overhead bench-compile bench-leonardo calibrate; do
    code=0
    output=$("$(dirname "$bench")/$script" --fast 2>&1) || code=$?
    if ((code != 2)) || [[ $output != "$script: usage: scripts/$script"* || $output == *$'\n'* ]]; then
        echo "FAILED: $script --fast: exit code $code: $output" >&2
        failures=$((failures + 1))
    fi
done
if [[ -e $work/results ]]; then
    echo 'FAILED: wrong usage left results behind' >&2
    failures=$((failures + 1))
fi

((failures == 0)) || exit 1
echo 'all refused'
