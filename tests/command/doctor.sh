#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# topomp doctor: it names what is wrong, with what to do, and its exit status says whether there is anything. What is so
# on this machine besides is not looked at.
. "$(dirname "${BASH_SOURCE[0]}")/support.sh"
export COLUMNS=300 # a line for each finding

# examined COMMAND...: lines have their form, and the exit status follows from them.
examined() {
    run timeout 60 "$@"
    grep -q '^\(fine\|advice\|wrong\) ' "$work/out" || fail "no finding: $*"
    ! sed '$d' "$work/out" | grep -v '^\(fine  \|advice\|wrong \)  [A-Za-z-]\|^  ' || fail "a line of no form: $*"
    local wrong=0
    ! grep -q '^wrong ' "$work/out" || wrong=1
    [ "$status" -eq "$wrong" ] || fail "exit status $status, with $wrong in its lines: $*"
    local arrows bad
    bad=$(grep -c '^\(wrong\|advice\) ' "$work/out" || true)
    arrows=$(grep -c '^ *-> ' "$work/out" || true)
    [ "$arrows" -le "$bad" ] && { [ "$wrong" -eq 0 ] || [ "$arrows" -gt 0 ]; } || fail "$arrows remedies for $bad findings: $*"
    checked=$((checked + 1))
}
has() { grep -q -- "$1" "$work/out" || fail "no '$1'"; checked=$((checked + 1)); }

examined "$topomp" doctor
for part in topomp MPI Boost.MPI 'preload library' Slurm ranks hardware 'shared memory' left-overs 'single copies'; do
    has "^[a-z]*  *$part  "
done
has '^fine *MPI *\(Open MPI\|MPICH\)'
has '^fine *Boost.MPI *for the same MPI'

# A file of an ended program: as MPIs call theirs, and nobody has it open.
left=/dev/shm/vader_segment.topomp-test.$$
trap 'finish; rm -f "$left"' EXIT
if echo left 2>/dev/null >"$left"; then
    examined "$topomp" doctor
    has "^\\($([ "$(readlink /proc/self/ns/pid)" = 'pid:[4026531836]' ] && echo wrong || echo advice)\\) *left-overs"
    tr -d '\n' <"$work/out" | tr -s ' ' | grep -q "rm .*$left" || fail 'the file is not named'
    exec 9<"$left" # now somebody has
    examined "$topomp" doctor
    ! tr -d '\n' <"$work/out" | grep -q "$left" || fail 'a file in use is called left over'
    if unshare -p -f --mount-proc true 2>/dev/null; then # as in a container, which does not see who
        examined unshare -p -f --mount-proc sh -c 'exec 9<&-; exec "$0" doctor' "$topomp"
        has '^advice *left-overs'
        has 'if nothing outside'
    fi
    exec 9<&-
    rm "$left"
fi

# A library of another MPI in the process, as a Boost.MPI of another MPI brings.
case $("$topomp" doctor | grep '^fine  *MPI') in
    *MPICH*) other=libmpi.so.40 ;;
    *) other=libmpich.so.12 ;;
esac
path=$(ldconfig -p 2>/dev/null | sed -n "s/.*$other .* => //p" | head -n 1)
if [ -n "$path" ]; then
    # Behind the command's own, so that its calls stay with these.
    own=$(ldd "$topomp" | sed -n 's/.*=> \(.*libmpi[a-z]*\.so[^ ]*\).*/\1/p' | head -n 1)
    run env LD_PRELOAD="$own:$path" "$topomp" doctor
    [ "$status" -eq 1 ] || fail "two MPI libraries: exit status $status"
    has '^wrong *Boost.MPI *two MPI libraries are loaded'
fi

# says PATTERN REMEDY [NAME=VALUE]...: with these variables the doctor says a line with PATTERN, and REMEDY behind its arrow.
says() {
    examined env "${@:3}" "$topomp" doctor
    grep -A 1 -- "$1" "$work/out" | grep -q -- "-> .*$2" || fail "no '$1' with the remedy '$2'"
}
# Machines on which something else is wrong: a library before the others answers for them.
misfit=$(dirname "$no_init")/libcommand_misfit.so
says '^wrong *MPI .*runs with Some MPI v9.9$' 'LD_LIBRARY_PATH' LD_PRELOAD="$misfit" TOPOMP_TEST_MISFIT=mpi
says '^advice *shared memory .*has 64.0 MiB' 'shm-size' LD_PRELOAD="$misfit" TOPOMP_TEST_MISFIT='little memory'
says '^wrong *shared memory .*has 4.0 MiB' 'shm-size' LD_PRELOAD="$misfit" TOPOMP_TEST_MISFIT='no memory'
says '^advice *single copies .*Operation not permitted' 'ptrace\|PTRACE' LD_PRELOAD="$misfit" TOPOMP_TEST_MISFIT=copies

# A command without its preload library, and with one that cannot be loaded.
mkdir -p "$work/alone/preload" "$work/bin" "$work/nothing"
cp "$topomp" "$work/alone/topomp"
installed=$topomp topomp=$work/alone/topomp
says '^advice *preload library .*libtopomp-preload.so' 'install it'
echo 'no library' >"$work/alone/preload/libtopomp-preload.so"
says '^wrong *preload library .*preload/libtopomp-preload.so' 'install topomp again'
topomp=$installed

# Slurm as a controller describes it, or does not; and a rank that srun starts without what it should know.
slurm() { # MPI TOPOLOGY
    printf '#!/bin/sh\necho "Configuration data as of 2026"\necho "MpiDefault              = %s"\necho "TopologyPlugin          = %s"\n' \
        "$@" >"$work/bin/scontrol"
    chmod +x "$work/bin/scontrol"
}
own_way=pmix
[ "$other" = libmpich.so.12 ] || own_way=pmi2
slurm none topology/tree
says '^advice *srun .*separate programs' "--mpi=$own_way" PATH="$work/bin:$PATH"
slurm $own_way topology/none
says '^advice *switches .*Slurm knows none' topology/tree PATH="$work/bin:$PATH"
slurm $own_way topology/tree
says '^wrong *switches .*SLURM_TOPOLOGY_ADDR is not set' export=NIL PATH="$work/bin:$PATH" SLURM_STEP_NUM_TASKS=1 SLURM_PROCID=0
examined env PATH="$work/bin:$PATH" "$topomp" doctor
has "^fine *Slurm *topology topology/tree, srun's default MPI $own_way"
! grep -q '^[a-z]* *\(srun\|switches\) ' "$work/out" || fail 'a Slurm with all that is needed: something is said of it'
printf '#!/bin/sh\nexit 1\n' >"$work/bin/scontrol"
examined env PATH="$work/bin:$PATH" "$topomp" doctor
has '^fine *Slurm .*does not answer'
says '^wrong *Slurm .*does not answer' 'ask who runs' PATH="$work/bin:$PATH" SLURM_JOB_ID=1
rm "$work/bin/scontrol"

# No launcher at all, in a job.
says '^advice *launcher *neither mpirun nor mpiexec nor srun' 'bin folder' PATH="$work/nothing" SLURM_JOB_ID=1
has '^advice *Slurm *in a job, without scontrol'

# A launcher of another MPI.
for name in mpirun mpiexec; do
    printf '#!/bin/sh\necho "%s"\n' "$([ "$other" = libmpi.so.40 ] && echo 'mpirun (Open MPI) 4.1.4' || echo 'HYDRA build details:')" \
        >"$work/bin/$name"
    chmod +x "$work/bin/$name"
done
examined env PATH="$work/bin:$PATH" "$topomp" doctor
has '^advice *launcher *mpirun on PATH is that of'

# Under a launcher each thing is said once.
examined "${launch[@]}" 3 "$topomp" doctor
has '^fine *ranks *3 on 1 nodes, started by'
[ "$(grep -c 'shared memory' "$work/out")" -eq 1 ] || fail 'shared memory is looked at more than once a node'
# On a machine with one core each rank is bound to it.
[ "$(nproc)" -eq 1 ] || has '^advice *binding .*3 of 3 ranks may run anywhere'
[ "$(nproc)" -ge 3 ] || has '^advice *cores .*3 of 3 ranks share cores'
examined "${launch[@]}" 1 taskset -c "$(taskset -pc $$ | sed 's/.*[^0-9]//')" "$topomp" doctor
has '^fine *binding'
