#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# compare.sh BENCH FOLDER: what changed between two results folders written by hand, and the exit code.
set -euo pipefail
failures=0

expect() { # CODE TEXT ARGS...
    local expected=$1 text=$2 code=0 output
    shift 2
    output=$("${bench[@]}" "$@" 2>&1) || code=$?
    if ((code != expected)) || ! diff -u --label expected --label "compare $*" <(echo "$text") <(echo "$output"); then
        echo "FAILED: compare $*: exit code $code" >&2
        failures=$((failures + 1))
    fi
}

bench=("$1" compare)
old=$2/old new=$2/new
last='only old 0  only new 1'

# Of the four points that both have, one takes 6/5 of the time, one a half: the geometric mean is 0.6^(1/4) = 0.88.
expect 1 "slower by more than 2 %, the worst first
platform     verb                bytes         old us         new us   new/old     ratio
two          broadcast               8              5              6      1.20      0.83

faster by more than 2 %
platform     verb                bytes         old us         new us   new/old     ratio
one          broadcast              32              8              4      0.50      1.00

slower 1  faster 1  alike 2  $last  geomean of new/old 0.88" "$old" "$new"

expect 0 "faster by more than 21 %
platform     verb                bytes         old us         new us   new/old     ratio
one          broadcast              32              8              4      0.50      1.00

slower 0  faster 1  alike 3  $last  geomean of new/old 0.88" "$old" "$new" --threshold 21

expect 0 'slower 0  faster 0  alike 4  only old 0  only new 0  geomean of new/old 1.00' "$old" "$old"

((failures == 0)) || exit 1
echo 'all comparisons are as worked out'
