#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# refused.sh FOLDER LAUNCHER...: arguments that a program of benchmarks/ cannot use are one line of one rank, besides the launcher's
# own words, and exit status 2.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../support/refused.sh"

for program in levels measure overhead persistent verbs; do
    refused 'cannot use --speed 3' 2 "$program" --speed 3
done
refused '--output: an option lacks its value' 2 overhead --output
refused 'numbers such as 8,512 are wanted, not 8,x' 2 persistent --bytes 8,x
refused '--charged is for simulations' 2 hybrid --charged 20:20:0.3
refused 'no such verb: send' 2 halo --verbs send
printf 'send binomial\n' >"$work/policies"
refused 'no such verb: send' 2 policies --policies "$work/policies"
printf 'gather two_tree\n' >"$work/policies"
refused 'gather two_tree: this algorithm does not serve gather' 2 policies --policies "$work/policies"
[ "$checked" -eq 11 ]
echo "$checked checks passed"
