#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Without a launcher the command does not start MPI: it works although a library makes MPI_Init fatal. That the
# library does so is seen by a run which looks launched.
. "$(dirname "${BASH_SOURCE[0]}")/support.sh"

for form in text json dot svg; do
    run env LD_PRELOAD="$no_init" "$topomp" show --format "$form"
    [ "$status" -eq 0 ] && [ -s "$work/out" ] && [ ! -s "$work/err" ] || fail "this machine as $form"
    run env LD_PRELOAD="$no_init" "$topomp" show --format "$form" --machine "node:2 core:2"
    [ "$status" -eq 0 ] && [ -s "$work/out" ] && [ ! -s "$work/err" ] || fail "a made-up machine as $form"
    checked=$((checked + 2))
done
# Mappings need none, even in a job's environment.
run env PMI_RANK=0 LD_PRELOAD="$no_init" "$topomp" map --dims 4x4 --per-node 4
[ "$status" -eq 0 ] && [ -s "$work/out" ] || fail "map in a job's environment"
checked=$((checked + 1))
for sign in OMPI_COMM_WORLD_SIZE PMIX_RANK PMI_RANK PMI_SIZE; do
    run env "$sign=1" LD_PRELOAD="$no_init" "$topomp" show
    [ "$status" -eq 99 ] && grep -qx 'MPI_Init was called' "$work/err" || fail "$sign does not start MPI"
    checked=$((checked + 1))
done
