#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Under a launcher: the command says on standard error which option binds ranks, and when the processes are no one
# program, and it says nothing where nothing is missing.
. "$(dirname "${BASH_SOURCE[0]}")/support.sh"

run timeout 60 "${launch[@]}" 3 "$topomp" show
[ "$status" -eq 0 ] || fail 'ranks that are not bound'
# On a machine with one core each rank is bound to it.
if [ "$("$topomp" show --format json | sed 's/{"size":\([0-9]*\).*/\1/')" -gt 1 ]; then
    [ "$(grep -c '^topomp: 3 of 3 ranks .*bind-to core[^ ]* of [a-zA-Z]' "$work/err")" -eq 1 ] || fail 'nothing is said of binding'
fi
run timeout 60 "${launch[@]}" 3 "$topomp" show --machine 'node:3 core:1'
[ "$status" -eq 0 ] && ! grep -q '^topomp: ' "$work/err" || fail 'a made-up machine: something is said'
checked=$((checked + 2))

# As srun leaves them without MPI: many processes, each with a number and none with MPI's variables.
separate() { # PROCESS ARGUMENTS...
    local process=$1
    shift
    run env SLURM_STEP_NUM_TASKS=8 SLURM_PROCID="$process" LD_PRELOAD="$no_init" "$topomp" "$@"
}
separate 0 show
[ "$status" -eq 2 ] && [ ! -s "$work/out" ] || fail "separate processes: exit status $status"
[ "$(wc -l <"$work/err")" -eq 1 ] && grep -q '^topomp: .*SLURM_STEP_NUM_TASKS=8.*--mpi=pmix.*--mpi=pmi2' "$work/err" ||
    fail 'separate processes: not said in a line'
separate 5 show
[ "$status" -eq 2 ] && [ ! -s "$work/out" ] && [ ! -s "$work/err" ] || fail 'separate processes: the sixth says something, too'
separate 0 show --machine 'node:2 core:2'
[ "$status" -eq 0 ] && [ ! -s "$work/err" ] || fail 'separate processes: a made-up machine needs no MPI'
separate 0 doctor
[ "$status" -eq 1 ] && grep -q '^wrong .*SLURM_STEP_NUM_TASKS=8' "$work/out" || fail 'separate processes: doctor'
checked=$((checked + 5))
