#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Sourced by the tests of the solvers, which ctest calls as: NAME.sh MPI_PROGRAM HYBRID_PROGRAM LAUNCHER...
#
# LAUNCHER is everything up to the number of ranks. Underscores stand for spaces in machines, because smpirun cuts at spaces.
# shellcheck shell=bash disable=SC2034 # the scripts use these
set -euo pipefail
by_mpi=$1 by_hybrid=$2
launch=("${@:3}")
even=(--machine node:3_core:3)
uneven=(--machine 'node:1_core:5;node:2_core:2')
interleaved=(--machine 'node:1_core:5;node:2_core:2' --place round-robin)
work=$(mktemp -d)
cd "$work"
checked=0

finish() {
    local code=$?
    rm -rf "$work"
    [ "$code" -ne 0 ] || [ "$checked" -gt 0 ] || { echo "FAILED: nothing was checked"; exit 1; }
    [ "$code" -ne 0 ] || echo "$checked checks passed"
}
trap finish EXIT

fail() {
    echo "FAILED: $1"
    [ ! -s out ] || { echo "--- standard output"; cat out; }
    [ ! -s err ] || { echo "--- standard error"; cat err; }
    exit 1
}

# on RANKS PROGRAM ARGUMENTS...: its output in the file out, its errors in err, its exit status in $status. RANKS `alone` is
# one rank without a launcher, which takes seconds to clear up after a program that fails; a simulation has to be launched.
on() {
    local command=("${launch[@]}" "$@")
    if [ "$1" = alone ]; then
        command=("${@:2}")
        [[ ${launch[0]} != *smpirun ]] || command=("${launch[@]}" 1 "${@:2}")
    fi
    status=0
    timeout 60 "${command[@]}" >out 2>err </dev/null || status=$?
    # Of a program that fails SimGrid's launcher prints the command, its hosts and the exit status.
    if [[ ${launch[0]} == *smpirun ]]; then
        sed -i -e '/ --cfg=smpi\/privatization:/d' -e '/^Generated unrolled hostfile /d' -e '/^Execution failed with code /d' out
    fi
}

# says CONDITION WHAT: the program ended well, and jq's condition is true for its result line.
says() {
    [ "$status" -eq 0 ] || fail "$2: exit status $status"
    [ "$(wc -l <out)" -eq 1 ] || fail "$2: not one line on standard output"
    jq -e "$1" <out >/dev/null || fail "$2: not $1"
    checked=$((checked + 1))
}

# refused PATTERN RANKS PROGRAM ARGUMENTS...: one line of the program's on standard error, besides the launcher's own; exit
# status 2; nothing on standard output.
refused() {
    local pattern=$1 name
    shift
    name=$(basename "$2")
    on "$@"
    # SimGrid's launcher has an exit status of its own.
    [ "$status" -eq 2 ] || [[ ${launch[0]} == *smpirun ]] || fail "exit status $status, not 2: $*"
    [ ! -s out ] || fail "something on standard output: $*"
    [ "$(grep -c "^$name: " err)" -eq 1 ] || fail "not one line: $*"
    grep -q -- "^$name: .*$pattern" err || fail "no '$pattern': $*"
    ! grep -q 'terminate called\|MPI_ABORT\|Signal' err || fail "a rank crashed: $*"
    checked=$((checked + 1))
}
