#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Two spines over the same leaf switches: Slurm puts them together, and so does topomp, from the environment and from the file.
. "$(dirname "${BASH_SOURCE[0]}")/support.sh"
if [ -z "$work" ]; then
    conf=$(mktemp)
    trap 'rm -f "$conf"' EXIT
    cat >"$conf" <<'END'
SwitchName=leaf0 Nodes=node[0-1]
SwitchName=leaf1 Nodes=node[2-3]
SwitchName=spine0 Switches=leaf[0-1]
SwitchName=spine1 Switches=leaf[0-1]
END
fi
on_slurm --topology "${conf-}"

# shellcheck disable=SC2016 # the task expands it
run srun --mpi=none -w node3 -n 1 sh -c 'echo "$SLURM_TOPOLOGY_ADDR"'
passed 'SLURM_TOPOLOGY_ADDR'
[ "$(cat "$work/out")" = 'spine[0-1].leaf1.node3' ] || fail "another address than topomp expects: $(cat "$work/out")"
shows block -N 4 -n 8 --distribution=block <<'END'
Switch spine[0-1], 8 ranks, roots below 0,4
├─ Switch leaf0, 0 of 2, ranks 0-3, roots below 0,2
│  ├─ Machine node0, 0 of 2, ranks 0,1
│  └─ Machine node1, 1 of 2, ranks 2,3
└─ Switch leaf1, 1 of 2, ranks 4-7, roots below 4,6
   ├─ Machine node2, 0 of 2, ranks 4,5
   └─ Machine node3, 1 of 2, ranks 6,7
END
export SLURM_NNODES=4 SLURM_NTASKS=8
same_with --topology-conf "$(dirname "$SLURM_CONF")/topology.conf"
export SLURM_NNODES=2 SLURM_NTASKS=4 NODES='node[1-2]'
same_with --topology-conf "$(dirname "$SLURM_CONF")/topology.conf"
finish
