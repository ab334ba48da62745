# SPDX-License-Identifier: BSL-1.0
# Sourced by the scripts beside it, which ctest calls as: NAME.sh ROOT MPI TOPOMP PROGRAM WINDOW.
#
# Each first starts itself anew on the login host of a cluster with Slurm, of 4 nodes with 2 cores if there are so many here.
# shellcheck shell=bash disable=SC2034 # the scripts use these
set -euo pipefail
root=$1 mpi=$2 topomp=$3 program=$4 window=$5

# on_slurm OPTIONS...: the rest of the script on the login host. It ends before ctest ends it, so that it can clean up.
on_slurm() {
    [ -z "${TOPOMP_TEST_WORK:-}" ] || return 0
    TOPOMP_TEST_WORK=$(mktemp -d)
    export TOPOMP_TEST_WORK
    local code=0
    "$root/scripts/cluster" --slurm --mpi "$mpi" --timeout 240 "$@" -- "$0" "${arguments[@]}" || code=$?
    rm -rf "$TOPOMP_TEST_WORK"
    exit "$code"
}
arguments=("$@")
work=${TOPOMP_TEST_WORK:-}
checked=0

fail() {
    echo "FAILED: $1"
    for file in out err; do
        [ ! -s "$work/$file" ] || { echo "--- $file"; cat "$work/$file"; }
    done
    exit 1
}

# run COMMAND...: its output in $work/out, its errors in $work/err, its exit status in $status.
run() {
    status=0
    "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
}

# ends JOB SECONDS: whether a job ends in this time.
ends() {
    local i
    for ((i = 0; i < 10 * $2; ++i)); do
        [ -n "$(squeue --noheader --jobs "$1" 2>/dev/null)" ] || return 0
        sleep 0.1
    done
    return 1
}

# batch OPTIONS...: a batch job, or an array of them, until its end, which sbatch --wait sees up to 10 s late.
batch() {
    run sbatch --parsable "$@"
    local job
    job=$(cat "$work/out")
    ends "$job" 120 || fail "job $job does not end"
    [ "$(scontrol show job "$job" | grep -o 'JobState=[A-Z]*' | sort -u)" = JobState=COMPLETED ] || status=1
}

passed() { # WHAT...: the command before ended well
    [ "$status" -eq 0 ] || fail "exit status $status: $*"
    checked=$((checked + 1))
}

says() { # FILE PATTERN WHAT
    grep -q -- "$2" "$work/$1" || fail "no '$2' in $1: $3"
}

# shows WHAT OPTIONS...: 'srun OPTIONS topomp show' prints standard input, of switches and nodes.
shows() {
    local what=$1
    shift
    run srun "$@" "$topomp" show --only Switch,Machine
    passed "$what"
    diff - "$work/out" || fail "$what: not as expected"
}

# same_with OPTION...: a job's hierarchy is the same with OPTION, apart from which objects of a level are known to have the
# same nodes. NODES, if it is set, are the job's: without it the second job may get other ones than the first.
same_with() {
    local -a job=(${NODES:+-w "$NODES"})
    run srun "${job[@]}" "$topomp" show --only Switch,Machine
    passed 'what the environment says'
    sed 's/([^)]*) //' "$work/out" >"$work/expected"
    run srun "${job[@]}" "$topomp" show --only Switch,Machine "$@"
    passed "$*"
    sed 's/([^)]*) //' "$work/out" | diff "$work/expected" - || fail "$*: not as the environment"
}

finish() {
    [ "$checked" -gt 0 ] || fail 'nothing was checked'
    echo "$checked checks passed"
}
