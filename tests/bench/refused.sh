#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# refused.sh FOLDER LAUNCHER...: arguments that a program of benchmarks/ cannot use are one line of one rank, besides the launcher's
# own words, and exit status 2.
set -euo pipefail
folder=$1
shift
launch=("$@")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# refused MESSAGE PROGRAM ARGUMENTS...
refused() {
    local message=$1 program=$2 status=0
    shift 2
    "${launch[@]}" 2 "$folder/$program" "$@" >"$work/out" 2>"$work/err" || status=$?
    if [ "$status" -ne 2 ] || [ -s "$work/out" ] || [ "$(grep -cF "$program: $message" "$work/err")" -ne 1 ] ||
        grep -q 'terminate called\|MPI_Abort\|Signal' "$work/err"; then
        echo "FAILED: $program $*: status $status"
        cat "$work/out" "$work/err"
        exit 1
    fi
}

for program in levels measure overhead persistent verbs; do
    refused 'cannot use --speed 3' "$program" --speed 3
done
refused '--output: an option lacks its value' overhead --output
refused 'numbers such as 8,512 are wanted, not 8,x' persistent --bytes 8,x
refused '--charged is for simulations' hybrid --charged 20:20:0.3
refused 'no such verb: send' halo --verbs send
printf 'send binomial\n' >"$work/policies"
refused 'no such verb: send' policies --policies "$work/policies"
printf 'gather two_tree\n' >"$work/policies"
refused 'gather two_tree: this algorithm does not serve gather' policies --policies "$work/policies"
