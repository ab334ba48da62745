#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# run.sh TOPOMP PROGRAM LAUNCHER...: what `topomp run` makes of a command line, and that it runs.
set -euo pipefail
topomp=$1 program=$2
shift 2
fail() { echo "run: $1"; exit 1; }
unset TOPOMP_PRELOAD TOPOMP_VERBS TOPOMP_POLICY TOPOMP_MACHINE TOPOMP_PLACE TOPOMP_REPORT TOPOMP_NONBLOCKING

# The launcher gets the variables for the ranks, in front of its own words; what is behind "--" is nobody else's.
shown=$("$topomp" run --show --policy ring --preload grids -- mpirun -n 4 ./a --policy x)
case $shown in
    'mpirun -x LD_PRELOAD='*/libtopomp-preload.so' -x TOPOMP_PRELOAD=grids -x TOPOMP_POLICY=ring -n 4 ./a --policy x') ;;
    'mpirun -genv LD_PRELOAD '*/libtopomp-preload.so' -genv TOPOMP_PRELOAD grids -genv TOPOMP_POLICY ring -n 4 ./a --policy x') ;;
    *) fail "it makes $shown" ;;
esac
# Other commands get them themselves, with what was set before: a tool that is preloaded stays in front.
shown=$(LD_PRELOAD='' TOPOMP_VERBS=bcast "$topomp" run --show srun ./a)
[[ $shown == "LD_PRELOAD='"*"/libtopomp-preload.so' TOPOMP_VERBS='bcast' srun ./a" ]] || fail "it makes $shown"

# srun hands on what its --export says: where that would keep the variables, they are named in it.
exported() { # EXPECTED WORDS...: the words of srun become EXPECTED
    local expected=$1
    shift
    shown=$(LD_PRELOAD='' "$topomp" run --show --verbs bcast,allreduce -- srun "$@")
    [[ $shown == *" TOPOMP_VERBS='bcast,allreduce' srun $expected" ]] || fail "of srun $* it makes $shown"
}
unset SLURM_EXPORT_ENV
names=LD_PRELOAD,TOPOMP_VERBS
exported '-n 4 ./a --export=NONE' -n 4 ./a --export=NONE # the program's own
exported "-n 4 --export=$names ./a" -n 4 --export=NONE ./a
exported "--export=$names -l --exclusive -N2 -n 4 ./a" --export=NIL -l --exclusive -N2 -n 4 ./a
exported "--label -n 4 --export HOME,$names ./a" --label -n 4 --export HOME ./a
exported "--mpi=pmix --export=HOME,A=b,$names ./a" --mpi=pmix --export=HOME,A=b ./a
exported '--export=ALL,A=b ./a' --export=ALL,A=b ./a
exported "--kill-on-bad-exit -n 4 --export=$names ./a" --kill-on-bad-exit -n 4 --export=NONE ./a
export SLURM_EXPORT_ENV=NONE # as in a job of sbatch --export=NONE
exported "--export=$names -n 4 ./a" -n 4 ./a
exported '--export=ALL ./a' --export=ALL ./a
export SRUN_EXPORT_ENV=HOME # srun's own counts more
exported "--export=HOME,$names -n 4 ./a" -n 4 ./a
export SRUN_EXPORT_ENV=ALL
exported '-n 4 ./a' -n 4 ./a
unset SLURM_EXPORT_ENV SRUN_EXPORT_ENV

# A command may have a "--" of its own, and the line that is shown is the shell's.
shown=$(LD_PRELOAD='' "$topomp" run --show --policy 'k_nomial<4>' ./a -- 'x;y' "it's")
[[ $shown == *" TOPOMP_POLICY='k_nomial<4>' ./a -- 'x;y' 'it'\\''s'" ]] || fail "it makes $shown"

for wrong in '' '-- /no/such/launcher' '--frobnicate -- true' '--frobnicate true'; do
    # shellcheck disable=SC2086 # words
    if told=$("$topomp" run $wrong 2>&1); then fail "it took '$wrong'"; fi
    [ "$(wc -l <<<"$told")" -eq 1 ] || fail "not one line about '$wrong': $told"
done

told=$("$topomp" run --report --machine 'node:2 core:2' --place round-robin -- "$@" "$program" 3 60 2>&1)
grep -q 'all results are those of the MPI' <<<"$told" || fail "$told"
awk '/^verb/ { table = 1; next } table && NF == 5 { sum += $3 } END { exit sum == 0 }' <<<"$told" || fail "$told"
echo 'run: as documented'
