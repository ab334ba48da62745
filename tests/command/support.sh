# SPDX-License-Identifier: BSL-1.0
# Sourced by the scripts beside it, which ctest calls as: NAME.sh TOPOMP NO_INIT LAUNCHER...
#
# TOPOMP is the command, NO_INIT a library that makes MPI_Init fatal, LAUNCHER everything up to the number of ranks.
# shellcheck shell=bash disable=SC2034 # the scripts use these
set -euo pipefail
topomp=$1 no_init=$2
shift 2
launch=("$@")
expected=$(cd "$(dirname "${BASH_SOURCE[0]}")/expected" && pwd)
work=$(mktemp -d)
checked=0
cd "$(dirname "${BASH_SOURCE[0]}")/data" # so that messages name short paths

finish() {
    local code=$?
    rm -rf "$work"
    [ "$code" -ne 0 ] || [ "$checked" -gt 0 ] || { echo "FAILED: nothing was checked"; exit 1; }
    [ "$code" -ne 0 ] || echo "$checked checks passed"
}
trap finish EXIT

fail() {
    echo "FAILED: $1"
    [ ! -s "$work/out" ] || { echo "--- standard output"; cat "$work/out"; }
    [ ! -s "$work/err" ] || { echo "--- standard error"; cat "$work/err"; }
    exit 1
}

# run COMMAND...: its output in $work/out, its errors in $work/err, its exit status in $status.
run() {
    status=0
    "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
}

# Compact JSON with a line per communicator, so that documents can be read and compared.
json_lines() { sed 's/{"depth"/\n&/g; s/"roots":/\n&/'; }

# same_as FILE WHAT: $work/out is exactly the file in expected/.
same_as() {
    [ "$status" -eq 0 ] || fail "$2: exit status $status"
    [ ! -s "$work/err" ] || fail "$2: something on standard error"
    diff -u "$expected/$1" "$work/out" || fail "$2: not as in expected/$1"
    checked=$((checked + 1))
}

# shows_json FILE ARGUMENTS...: 'topomp show --format json ARGUMENTS' prints the document in expected/FILE.
shows_json() {
    local file=$1
    shift
    run "$topomp" show --format json "$@"
    json_lines <"$work/out" >"$work/lines"
    [ "$(wc -l <"$work/out")" -eq 1 ] || fail "$*: not one line"
    mv "$work/lines" "$work/out"
    same_as "$file" "show --format json $*"
}

# shows FORMAT FILE ARGUMENTS...
shows() {
    local format=$1 file=$2
    shift 2
    run "$topomp" show --format "$format" "$@"
    same_as "$file" "show --format $format $*"
}

# refused PATTERN ARGUMENTS...: wrong use of 'topomp ARGUMENTS' ends with status 2 and one line on standard error.
refused() {
    local pattern=$1
    shift
    run "$topomp" "$@"
    [ "$status" -eq 2 ] || fail "exit status $status, not 2: topomp $*"
    [ ! -s "$work/out" ] || fail "something on standard output: topomp $*"
    [ "$(wc -l <"$work/err")" -eq 1 ] || fail "not one line on standard error: topomp $*"
    ! grep -q '^topomp: topomp' "$work/err" || fail "the command is named twice: topomp $*"
    grep -q -- "^topomp: .*$pattern" "$work/err" || fail "no '$pattern': topomp $*"
    checked=$((checked + 1))
}
