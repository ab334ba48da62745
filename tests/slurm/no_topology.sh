#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Slurm without a topology: nodes and no switches, and the doctor says how to get some.
. "$(dirname "${BASH_SOURCE[0]}")/support.sh"
on_slurm --topology none

shows block -N 3 -n 6 --distribution=block -w 'node[0-2]' <<'END'
System - Cluster, 6 ranks, roots below 0,2,4
├─ Machine node0, 0 of 3, ranks 0,1
├─ Machine node1, 1 of 3, ranks 2,3
└─ Machine node2, 2 of 3, ranks 4,5
END
run srun -N 2 -n 4 "$topomp" doctor
says out '^advice *switches .*Slurm knows none' doctor
finish
