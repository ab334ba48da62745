#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# run.sh TOPOMP PROGRAM LAUNCHER...: what `topomp run` makes of a command line, and that it runs.
set -euo pipefail
topomp=$1 program=$2
shift 2
fail() { echo "run: $1"; exit 1; }
unset TOPOMP_PRELOAD TOPOMP_VERBS TOPOMP_POLICY TOPOMP_MACHINE TOPOMP_PLACE TOPOMP_REPORT TOPOMP_NONBLOCKING TOPOMP_TUNING
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

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

# The program's calls go as a tuning file says, whether they wait or not. Its first line is one that topomp tune has
# written here; what it says of any length is that the MPI's own is fast, or a chain.
"$@" "$topomp" tune --machine 'node:2 core:2' --minutes 0.01 --verb barrier --output "$work/tuning" >/dev/null 2>&1 ||
    fail 'topomp tune'
head -n 1 "$work/tuning" >"$work/first"
prefers() { # POLICY: a file in which it is the fastest
    local verb bytes
    cat "$work/first"
    for verb in broadcast all_reduce; do
        for bytes in 0 1000000000; do
            echo "{\"verb\":\"$verb\",\"bytes\":$bytes,\"policy\":\"flat\",\"seconds\":2e-6}"
            echo "{\"verb\":\"$verb\",\"bytes\":$bytes,\"policy\":\"chain\",\"seconds\":$([ "$1" = chain ] && echo 1e-6 || echo 3e-6)}"
        done
    done
}
prefers flat >"$work/flat"
prefers chain >"$work/chain"
served() { awk -v verb="$1" '/^verb/ { table = 1 } table && $1 == verb { print $3 }' <<<"$told"; }
with() { # FILE ARGUMENTS...
    told=$(TOPOMP_NONBLOCKING=1 "$topomp" run --report --machine 'node:2 core:2' --tuning "$1" -- "${launcher[@]}" "$program" "${@:2}" 2>&1) ||
        fail "with $1: $told"
    grep -q 'all results are those of the MPI' <<<"$told" || fail "with $1: $told"
    ! grep -q 'not used' <<<"$told" || fail "$told"
}
launcher=("$@")
for file in chain flat; do
    with "$work/$file" 3 200
    [ "$(served reduce)" -gt 0 ] || fail "with a file that says nothing of reductions none is served: $told"
    [ "$(($(served bcast) > 0))" -eq "$([ $file = chain ] && echo 1 || echo 0)" ] || fail "bcast with $file: $told"
    with "$work/$file" 11 800 nonblocking
    [ "$(served ireduce)" -gt 0 ] || fail "with a file that says nothing of reductions no non-blocking one is served: $told"
    for verb in ibcast iallreduce; do
        [ "$(($(served $verb) > 0))" -eq "$([ $file = chain ] && echo 1 || echo 0)" ] || fail "$verb with $file: $told"
    done
done
# A file that is not there has a line of each rank 0 of a communicator, and the next source counts.
told=$("$topomp" run --report --machine 'node:2 core:2' --tuning "$work/none,$work/flat" -- "$@" "$program" 3 200 2>&1) || fail "$told"
grep -q "^topomp: TOPOMP_TUNING: .*$work/none: No such file.*; the file is not used$" <<<"$told" || fail "not a word of it: $told"
[ "$(served bcast)" -eq 0 ] || fail "the second source does not count: $told"

told=$("$topomp" run --report --machine 'node:2 core:2' --place round-robin -- "$@" "$program" 3 60 2>&1)
grep -q 'all results are those of the MPI' <<<"$told" || fail "$told"
awk '/^verb/ { table = 1; next } table && NF == 5 { sum += $3 } END { exit sum == 0 }' <<<"$told" || fail "$told"
echo 'run: as documented'
