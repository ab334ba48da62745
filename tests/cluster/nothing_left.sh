#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# nothing_left.sh CLUSTER MPI OCCUPIED: however scripts/cluster ends, nothing of its run stays on the machine.
set -euo pipefail

readonly cluster=$1 mpi=$2 occupied=$3
readonly scratch_parent=${TMPDIR:-/tmp}
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
failures=0

fail() {
    echo "FAILED: $1" >&2
    failures=$((failures + 1))
}

bridges() { ip -oneline link show type bridge | cut -d: -f2 | sort; }

bridges >"$work/bridges"

start() { # NAME WHAT: in the background; sets 'run'
    "$cluster" --mpi "$mpi" --ranks-per-host 2 --timeout 60 "$occupied" "$2" >"$work/$1.out" 2>"$work/$1.err" &
    run=$!
}

wait_until_ready() { # NAME
    for _ in {1..400}; do
        ! grep -qs ready "$work/$1.out" || return 0
        sleep 0.05
    done
    fail "$1: the program did not start within 20 s"
    cat "$work/$1.err" >&2
}

expect_code() { # NAME RUN CODE
    local code=0
    wait "$2" || code=$?
    if ((code == 77)); then
        cat "$work/$1.out"
        exit 77
    fi
    if ((code != $3)); then
        fail "$1: exit code $code, expected $3"
        cat "$work/$1.out" "$work/$1.err" >&2
    fi
}

# Processes are known by the TMPDIR that the run gave them, so that runs of somebody else are not counted.
processes_of() { # RUN
    local environment
    for environment in /proc/[0-9]*/environ; do
        if grep -qz "^TMPDIR=.*/topomp-cluster-$1\." "$environment"; then
            echo "$environment"
        fi
    done 2>/dev/null
}

expect_nothing_left() { # NAME RUN
    local left
    left=$(ip netns list | grep "^topomp-cluster-$2-" || true)
    [[ -z $left ]] || fail "$1: namespaces left: $left"
    left=$(processes_of "$2")
    [[ -z $left ]] || fail "$1: processes left: $left"
    left=$(find "$scratch_parent" -maxdepth 1 -name "topomp-cluster-$2.*")
    [[ -z $left ]] || fail "$1: files left: $left"
}

# The program leaves a file in its host's shared memory, by that name: no other program's is counted.
expect_no_shared_memory() {
    local left
    left=$(find /dev/shm -name 'topomp-occupied-*')
    [[ -z $left ]] || fail "shared memory left: $left"
}

start end end
expect_code end "$run" 0
expect_nothing_left 'normal end' "$run"

start fail fail
expect_code fail "$run" 3
expect_nothing_left 'failing program' "$run"

start terminated wait
wait_until_ready terminated
kill -TERM "$run"
expect_code terminated "$run" 143
expect_nothing_left 'SIGTERM' "$run"

# Also while it is still building: some of what it makes is not there yet when it cleans up.
for delay in 0.02 0.1 0.3; do
    start early wait
    sleep "$delay"
    kill -TERM "$run"
    expect_code early "$run" 143
    expect_nothing_left "SIGTERM after $delay s" "$run"
done

start first wait
first=$run
start second end
second=$run
expect_code second "$second" 0
expect_nothing_left 'second of two at once' "$second"
wait_until_ready first
[[ -e /run/netns/topomp-cluster-$first-head ]] || fail 'the end of one run took down the other'
kill -TERM "$first"
expect_code first "$first" 143
expect_nothing_left 'first of two at once' "$first"

# Nobody can clean up after SIGKILL at once; the next run does.
start killed wait
killed=$run
wait_until_ready killed
kill -KILL "$killed"
expect_code killed "$killed" 137
start next end
expect_code next "$run" 0
expect_nothing_left 'run after SIGKILL' "$run"
expect_nothing_left 'SIGKILL, after the next run' "$killed"

expect_no_shared_memory
bridges | cmp -s "$work/bridges" - || fail "bridges left: $(bridges | tr '\n' ' ')"

((failures == 0)) || exit 1
echo 'nothing_left: nothing was left behind'
