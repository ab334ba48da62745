#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# usage.sh CLUSTER: wrong usage is refused in one line with exit code 2, before anything is made.
set -euo pipefail

readonly cluster=$1
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
failures=0

refused() { # EXPECTED ARGS...: part of the message
    local expected=$1 code=0 output
    shift
    output=$("$cluster" "$@" 2>&1) || code=$?
    if ((code != 2)) || [[ $output != *"$expected"* || $output == *$'\n'* ]]; then
        echo "FAILED: cluster $*: exit code $code: $output" >&2
        failures=$((failures + 1))
    fi
}

echo 'node9 A=B' >"$work/unknown_host"
echo 'node0 A' >"$work/no_value"

refused 'no program given'
refused 'unknown option: --no-such-option' --no-such-option true
refused '--hosts needs a value' --hosts
refused "--hosts wants a positive number, not 'many'" --hosts many true
refused 'at most 64 hosts, not 65' --hosts 65 true
refused "not '0'" --ranks-per-host 0 true
refused "--slots wants numbers such as 4,2,3,1, not '4,,2'" --slots 4,,2 true
refused '--slots names 2 hosts, --hosts 3' --slots 4,2 --hosts 3 true
refused 'give --slots or --ranks-per-host, not both' --slots 4,2 --ranks-per-host 2 true
refused "--mpi wants openmpi or mpich, not 'other'" --mpi other true
refused "--rate wants a rate such as 1gbit, not 'fast'" --rate fast true
refused "--timeout wants a positive number of seconds, not 'soon'" --timeout soon true
refused "--env wants NAME=VALUE, not 'NAME'" --env NAME true
refused 'cannot read' --host-env "$work/missing" true
refused "unknown_host:1: no such host: 'node9'" --host-env "$work/unknown_host" true
refused "no_value:1: wants 'HOST NAME=VALUE', not 'node0 A'" --host-env "$work/no_value" true
refused 'wants the same number of ranks on each host' --mpi mpich --interleave --slots 2,1 true
refused 'no such program: no-such-program' no-such-program
refused '--cores and --topology are for --slurm' --cores 2 true
refused '--slurm takes --hosts, --cores' --slurm --slots 2,2 true
refused '--slurm takes --hosts, --cores' --slurm --interleave true
refused "the cores of this machine, not '9999'" --slurm --cores 9999 true
refused "--topology: cannot read '$work/missing'" --slurm --topology "$work/missing" true

((failures == 0)) || exit 1
echo 'usage: refused as it should be'
