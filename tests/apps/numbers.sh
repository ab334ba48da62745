#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# numbers.sh PROGRAM RANKS FOLDER LAUNCHER...: every variant of a program of benchmarks/apps that is built in FOLDER, on RANKS
# ranks, with its result compared with a serial one; those with topomp on even, uneven and interleaved made-up machines.
set -euo pipefail
program=$1 ranks=$2 folder=$3
shift 3
launch=("$@")
export OMP_WAIT_POLICY=passive # threads that wait leave the cores to others
runs=0
results=
errors=$(mktemp) # where slow runs say how far they are
trap 'rm -f "$errors"' EXIT

# tell VARIANT ARGUMENTS...: runs it with --check; its line must be one of JSON, about as many ranks, and checked.
tell() {
    local variant=$1 line
    shift
    line=$("${launch[@]}" "$ranks" "$folder/${program}_$variant" --check "$@" 2>"$errors") ||
        { echo "FAILED: ${program}_$variant $*: $line"; cat "$errors"; exit 1; }
    jq -e --arg program "$program" --arg variant "$variant" --argjson ranks "$ranks" '
        .program == $program and .variant == $variant and .ranks == $ranks and .checked == true
        and .seconds >= .least_seconds and .seconds * 1.001 >= .computing_seconds and .computing_seconds >= 0' >/dev/null <<<"$line" ||
        { echo "FAILED: ${program}_$variant $*: $line"; exit 1; }
    # In a simulation computing takes time too.
    if [ "$ranks" -gt 1 ] && jq -e '.simulated and .computing_seconds == 0' >/dev/null <<<"$line"; then
        echo "FAILED: ${program}_$variant $*: computing took no time: $line"
        exit 1
    fi
    results+=$line$'\n'
    runs=$((runs + 1))
}

even=(--machine node:3_package:2_core:2)
uneven=(--machine 'switch:2_(node:1_package:2_core:3;node:2_core:1)')
interleaved=(--machine 'switch:2_(node:1_package:2_core:3;node:2_core:1)' --place round-robin)

# everywhere VARIANT ARGUMENTS...: on this machine with few ranks, on all made-up ones with many.
everywhere() {
    case $ranks in
        1) tell "$@" ;;
        4) tell "$@" "${uneven[@]}" ;;
        6) tell "$@" "${interleaved[@]}" ;;
        *) tell "$@" "${even[@]}"; tell "$@" "${uneven[@]}"; tell "$@" "${interleaved[@]}" ;;
    esac
}

case $program in
    summa)
        odd=(--m 37 --n 29 --k 41 --panel 5 --repetitions 2)
        tell mpi --size 24 --repetitions 2
        tell mpi "${odd[@]}"
        case $ranks in
            1) groups=(--groups 1x1) ;;
            4) groups=(--grid 2x2 --groups 2x2) ;;
            6) groups=(--grid 1x6 --groups 1x3) ;;
            8) groups=(--grid 2x4 --groups 1x2) ;;
            9) groups=(--grid 9x1 --groups 3x1) ;;
        esac
        tell groups "${odd[@]}" "${groups[@]}"
        everywhere topology "${odd[@]}"
        everywhere hybrid "${odd[@]}"
        ;;
    poisson)
        few=(--size 9 --tolerance 1e-3 --repetitions 1)
        tell mpi "${few[@]}"
        if [ -x "$folder/poisson_openmp" ]; then tell openmp "${few[@]}" --threads 2; fi
        everywhere hybrid "${few[@]}"
        # All variants take the same number of iterations to the same change.
        jq -se 'map([.iterations, .change]) | unique | length == 1 and .[0][0] > 10' >/dev/null <<<"$results" ||
            { echo "FAILED: not all the same: $results"; exit 1; }
        ;;
    vectors)
        tell by_hand --elements 101 --repetitions 2
        case $ranks in
            4) tell by_hand --elements 101 --repetitions 2 --levels 2,2 ;;
            6) tell by_hand --elements 101 --repetitions 2 --levels 2,3 ;;
            8) tell by_hand --elements 101 --repetitions 2 --levels 2,1,4 ;;
            9) tell by_hand --elements 101 --repetitions 2 --levels 3,3 ;;
        esac
        everywhere topology --elements 101 --repetitions 2
        if [ "$ranks" -gt 4 ]; then
            jq -se 'map(select(.variant == "topology")) | all(.depth > 1)' >/dev/null <<<"$results" ||
                { echo "FAILED: no levels: $results"; exit 1; }
        fi
        ;;
esac
[ "$runs" -gt 1 ] || { echo "FAILED: only $runs runs"; exit 1; }
echo "$runs runs of $program on $ranks ranks"
