#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# refused.sh FOLDER LAUNCHER...: what the programs of benchmarks/apps cannot work with is one line from rank 0, besides the
# launcher's own words, and exit status 2; and --help comes from rank 0 alone.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../support/refused.sh"

refused '.*fewer than the 3 rows of processes' 3 summa_mpi --m 2
refused '.*not in range' 1 summa_mpi --size 0
refused '.*--grid 2x2: does not divide' 3 summa_mpi --grid 2x2
refused '.*--grid 1x1: this run has 3 ranks' 3 summa_mpi --grid 1x1
refused '.*--grid 3: must be two numbers' 3 summa_mpi --grid 3
refused '.*more than one message holds' 1 summa_mpi --size 100000
refused '.*--groups 2x1: does not divide the grid of 3x1' 3 summa_groups --groups 2x1
refused ".*unknown kind 'foo'" 3 summa_topology --machine foo:3
refused '.*--place requires --machine' 1 summa_hybrid --place core
refused '.*fewer points than the 3 blocks' 3 poisson_mpi --size 2
refused '.*--threads' 1 poisson_openmp --threads 0
refused '.*--tolerance' 1 poisson_hybrid --tolerance x
refused '.*levels of 4 ranks: this run has 3' 3 vectors_by_hand --levels 2,2
refused '.*levels of 576 ranks' 3 vectors_by_hand --configuration 1
refused '.*--elements' 3 vectors_topology --elements 0
refused '.*--charged is for simulations' 3 vectors_by_hand --charged 20:20:0.3
refused '.*--charged wants GB/s' 3 poisson_mpi --charged 20:20
refused '.*not expected' 1 vectors_topology 7

for program in "$folder"/{summa,poisson,vectors}_*; do
    [ -f "$program" ] && [ -x "$program" ] || continue
    "${launch[@]}" 2 "$program" --help >"$work/out" 2>"$work/err"
    if [ "$(grep -c '^Usage: ' "$work/out")" -ne 1 ] || ! grep -q -- --repetitions "$work/out"; then
        echo "FAILED: $program --help"
        cat "$work/out" "$work/err"
        exit 1
    fi
    checked=$((checked + 1))
done

# A run of more than two seconds says how far it is, on standard error.
for iterations in 500 1000 2000 4000 8000 16000; do
    "${launch[@]}" 1 "$folder/poisson_mpi" --size 300 --tolerance 0 --repetitions 1 --iterations "$iterations" >"$work/out" 2>"$work/err"
    jq -e '.seconds > 2.5' "$work/out" >/dev/null || continue
    if ! grep -q '^poisson_mpi: iteration ' "$work/err"; then
        echo 'FAILED: no progress'
        exit 1
    fi
    break
done
[ "$checked" -gt 10 ]
echo "$checked checks passed"
