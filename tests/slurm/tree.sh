#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Two leaf switches with two nodes each under a spine: all that a job can do.
. "$(dirname "${BASH_SOURCE[0]}")/support.sh"
on_slurm

# --- Distributions and allocations, with the ways of both MPIs to start.
option=--mpi=$([ "$mpi" = openmpi ] && echo pmix || echo pmi2)
shows block "$option" -N 4 -n 8 --distribution=block <<'END'
Switch spine, 8 ranks, roots below 0,4
├─ Switch leaf0, 0 of 2, ranks 0-3, roots below 0,2
│  ├─ Machine node0, 0 of 2, ranks 0,1
│  └─ Machine node1, 1 of 2, ranks 2,3
└─ Switch leaf1, 1 of 2, ranks 4-7, roots below 4,6
   ├─ Machine node2, 0 of 2, ranks 4,5
   └─ Machine node3, 1 of 2, ranks 6,7
END
shows cyclic "$option" -N 4 -n 8 --distribution=cyclic <<'END'
Switch spine, 8 ranks, roots below 0,2
├─ Switch leaf0, 0 of 2, ranks 0,1,4,5, roots below 0,1
│  ├─ Machine node0, 0 of 2, ranks 0,4
│  └─ Machine node1, 1 of 2, ranks 1,5
└─ Switch leaf1, 1 of 2, ranks 2,3,6,7, roots below 2,3
   ├─ Machine node2, 0 of 2, ranks 2,6
   └─ Machine node3, 1 of 2, ranks 3,7
END
shows uneven -w 'node[0-2]' -N 3 -n 4 --distribution=block <<'END'
Switch spine, 4 ranks, roots below 0,3
├─ Switch leaf0, 0 of 2, ranks 0-2, roots below 0,2
│  ├─ Machine node0, 0 of 2, ranks 0,1
│  └─ Machine node1, 1 of 2, ranks 2
└─ Switch (ranks within Machine) leaf1, 1 of 2, ranks 3
END
# Switches that the job's nodes share are one communicator with the names of all.
shows 'one leaf' -w 'node[2-3]' -n 4 <<'END'
Switch (ranks within Switch) spine/leaf1, 4 ranks, roots below 0,2
├─ Machine node2, 0 of 2, ranks 0,1
└─ Machine node3, 1 of 2, ranks 2,3
END
shows 'one node' -w node1 -n 2 <<'END'
Machine (ranks within Switch, Switch) node1, 2 ranks
END

# --- The job script as it stands, where topomp is built.
mkdir -p "$work/clone/docs" "$work/clone/build/release/tools"
cp "$root/docs/slurm.sbatch" "$work/clone/docs"
ln -s "$topomp" "$work/clone/build/release/tools/topomp"
cd "$work/clone"
batch docs/slurm.sbatch
passed 'sbatch docs/slurm.sbatch'
mv topomp-*.txt "$work/out"
says out '^Switch .*leaf[01], 4 ranks' 'docs/slurm.sbatch' # Slurm gives a job of two nodes one leaf
says out 'node[0-3].*, ranks 0,1' 'docs/slurm.sbatch'
[ "$(grep -c 'Switch\|Cluster' "$work/out")" -eq 1 ] || fail 'docs/slurm.sbatch: not one hierarchy'

# --- A topology.conf says the same as the environment.
export SLURM_NNODES=4 SLURM_NTASKS=8
same_with --topology-conf "$(dirname "$SLURM_CONF")/topology.conf"
unset SLURM_NNODES SLURM_NTASKS

# --- What goes wrong is said once, with what helps.
run srun --mpi=none -N 2 -n 4 "$topomp" show
[ "$status" -eq 2 ] && [ ! -s "$work/out" ] || fail "--mpi=none: exit status $status"
[ "$(grep -c '^topomp: .*SLURM_STEP_NUM_TASKS=4.*--mpi=pm' "$work/err")" -eq 1 ] || fail '--mpi=none: not said once'
run srun --mpi=none -N 2 -n 4 "$topomp" doctor
[ "$status" -ne 0 ] && grep -q '^wrong .*SLURM_STEP_NUM_TASKS=4' "$work/out" || fail 'doctor with --mpi=none'
run srun -N 2 -n 4 --cpu-bind=none "$topomp" show
passed '--cpu-bind=none'
says err '^topomp: 4 of 4 ranks .*--cpu-bind=cores of srun' '--cpu-bind=none'
run srun -N 2 -n 4 --cpu-bind=cores "$topomp" show
passed '--cpu-bind=cores'
! grep -q '^topomp: ' "$work/err" || fail '--cpu-bind=cores: something is said'
# shellcheck disable=SC2016 # the ranks expand it
run srun -N 4 -n 8 sh -c '[ "$SLURM_NODEID" != 1 ] || unset SLURM_TOPOLOGY_ADDR; exec "$0" show' "$topomp"
passed 'a node that does not know its switches'
says err '^topomp: only 6 of 8 ranks know the switches' 'a node that does not know its switches'
says out '^└─ .*node1.*, 1 of 2, ranks 2,3' 'a node that does not know its switches'
# shellcheck disable=SC2016 # the ranks expand it
run srun -N 4 -n 8 sh -c '[ "$SLURM_NODEID" != 1 ] || unset SLURM_TOPOLOGY_ADDR; exec "$0" doctor' "$topomp"
says out '^wrong *switches *only 6 of 8 ranks know theirs' 'doctor where a node does not know its switches'
run srun -N 2 -n 4 --cpu-bind=cores "$topomp" doctor
says out 'topology topology/tree' doctor
says out '4 on 2 nodes, started by srun' doctor
says out '^fine *binding' doctor

# --- A mapping, as srun takes it.
# shellcheck disable=SC2016 # the job expands it
run salloc -Q -N 4 -n 8 sh -c '"$0" map --dims 4x2 --per-node 2 --emit slurm --hosts "$SLURM_JOB_NODELIST" --output "$1/hosts" &&
    SLURM_HOSTFILE="$1/hosts" srun --distribution=arbitrary sh -c "echo \$SLURM_PROCID \$(hostname)"' "$topomp" "$work"
passed 'map --emit slurm'
sort -n "$work/out" | cut -d ' ' -f 2 | diff "$work/hosts" - || fail 'map --emit slurm: ranks are on other hosts'
[ "$(sort -u "$work/hosts" | wc -l)" -eq 4 ] || fail 'map --emit slurm: not four hosts'

# --- The preload library reaches the ranks, whatever Slurm hands on.
sum_of_report() { # WHAT COMMAND...
    local what=$1
    shift
    run "$@"
    passed "$what"
    [ "$(cat "$work/out")" = 'sum 6' ] || fail "$what: another sum"
    says err 'topomp-preload: calls of all ranks' "$what"
}
sum_of_report 'topomp run' "$topomp" run --report -- srun -N 2 -n 4 "$program"
if [ "$mpi" = openmpi ]; then # MPICH's ranks need variables of the cluster here
    list=OMPI_MCA_pml,OMPI_MCA_btl,OMPI_MCA_btl_tcp_if_include,PATH
    sum_of_report '--export=LIST' "$topomp" run --report -- srun -N 2 -n 4 --export=$list "$program"
    sum_of_report '--export LIST' "$topomp" run --report -- srun -N 2 --export $list -n 4 "$program"
    # shellcheck disable=SC2016 # the job expands it
    sum_of_report 'a job without an environment' salloc -Q -N 2 -n 4 sh -c \
        'SLURM_EXPORT_ENV=$1 "$0" run --report -- srun "$2"' "$topomp" $list "$program"
fi
sum_of_report '--export=NONE' "$topomp" run --report -- srun -N 1 -n 4 --overcommit --export=NONE "$program"

# --- A job array.
batch --array=0-2 -N 2 -n 4 --output "$work/array-%a" --wrap "srun '$topomp' show --only Machine"
passed 'a job array'
for part in 0 1 2; do
    [ "$(sed 's/node[0-3]/HOST/' "$work/array-$part" | tr '\n' '|')" = \
        'System - Cluster, 4 ranks, roots below 0,2|├─ Machine HOST, 0 of 2, ranks 0,1|└─ Machine HOST, 1 of 2, ranks 2,3|' ] ||
        fail "job $part of an array: $(cat "$work/array-$part")"
done

# --- The launcher of the MPI in an allocation.
if [ "$mpi" = openmpi ]; then
    run salloc -Q -N 4 -n 8 mpirun.openmpi --bind-to none "$topomp" show --only Machine
    passed 'mpirun in an allocation'
    [ "$(grep -c 'Machine node[0-3], . of 4, ranks' "$work/out")" -eq 4 ] || fail 'mpirun in an allocation: not four nodes'
fi

# --- A job that is cancelled leaves nothing.
files_of_nodes() { srun --mpi=none -N 4 -n 4 sh -c 'ls -A /dev/shm' | sort; }
files_of_nodes >"$work/before"
job=$(sbatch --parsable -N 2 -n 4 --output "$work/cancelled" --wrap "srun '$window'")
for _ in {1..300}; do
    ! grep -qs ready "$work/cancelled" || break
    sleep 0.1
done
grep -q ready "$work/cancelled" || fail "the job did not begin: $(cat "$work/cancelled")"
scancel "$job"
ends "$job" 15 || fail 'the job is still there'
files_of_nodes | diff "$work/before" - || fail 'files in /dev/shm after a job was cancelled'
checked=$((checked + 1))
finish
