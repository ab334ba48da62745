#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# nothing_left.sh MPI PROGRAM LAUNCH...: however a program with shared windows ends, nothing of them stays in
# /dev/shm, and too little of it is an exception. In a /dev/shm of its own, of 64 MiB, that nobody else uses.
set -euo pipefail

if [[ ${1:-} != --inside ]]; then
    unshare --mount true 2>/dev/null || { echo 'skipped: no mount namespaces here'; exit 77; }
    exec unshare --mount "$0" --inside "$@"
fi
shift
mpi=$1 program=$2
shift 2
mount -t tmpfs -o size=64m none /dev/shm || { echo 'skipped: no file system may be mounted here'; exit 77; }

failures=0
output=$(mktemp)
trap 'rm -f -- "$output"' EXIT
for how in end lack exception abort kill; do
    code=0
    timeout --kill-after=5 40 "$@" "$program" "$how" </dev/null >"$output" 2>&1 || code=$?
    case $how in
        end | lack) expected='code == 0' ;;
        *) expected='code != 0 && code != 124' ;; # the MPI chooses, but it must not hang
    esac
    if ! ((expected)); then
        failures=$((failures + 1))
        echo "$how: code $code"
        cat "$output"
    fi
    # What the MPI keeps there for its messages is no window: Open MPI's vader_segment files stay where a rank was
    # killed before the others could remove them.
    left=$(find /dev/shm -type f ! -name 'vader_segment*')
    if [[ -n $left ]]; then
        failures=$((failures + 1))
        echo "$how: left: $left"
    fi
    echo "$how: code $code, $(find /dev/shm -type f | wc -l) files of $mpi's own"
    find /dev/shm -mindepth 1 -delete
done
exit "$((failures > 0))"
