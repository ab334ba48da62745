#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# topomp tune under mpirun: it measures, is killed and goes on, refuses files of others, and both MPIs run the rules that it
# exports. How long anything takes is not looked at.
. "$(dirname "${BASH_SOURCE[0]}")/support.sh"

levels=(--machine 'node:2 core:2')
tunes() { run timeout 100 "${launch[@]}" 4 "$topomp" tune "${levels[@]}" "$@"; }
# What a file has, without times.
kept() { sed -n 's/.*"verb":"\([a-z_]*\)","bytes":\([0-9]*\),"commutative":\([a-z]*\),"policy":"\(.*\)","seconds".*/\1 \2 \3 \4/p' "$1" | sort -u; }

tunes --minutes 0.02 --verb broadcast,reduce_scatter,all_to_allv,scan --bytes 8,512 --output "$work/short"
[ "$status" -eq 0 ] && grep -q 'verbs and lengths' "$work/out" || fail 'tune'
[ "$(head -c 18 "$work/short")" = '{"topomp_tuning":1' ] || fail 'no first line'
kept "$work/short" >"$work/first"
[ -s "$work/first" ] || fail 'nothing was measured'
grep -q ' flat$' "$work/first" || fail "the MPI's own was not measured"
! grep -q 'complete' "$work/short" || fail 'some lengths only, but it is called complete'
checked=$((checked + 1))

# Killed: the whole lines are of use, and it goes on behind them.
"${launch[@]}" 4 "$topomp" tune "${levels[@]}" --minutes 5 --output "$work/killed" >"$work/out" 2>"$work/err" </dev/null &
started=$!
for ((i = 0; i < 600; ++i)); do
    [ "$(wc -l 2>/dev/null <"$work/killed" || echo 0)" -lt 8 ] || break
    sleep 0.1
done
mapfile -t processes < <(pgrep -f -- "--output $work/killed") # the launcher and the ranks
[ "${#processes[@]}" -ge 5 ] || fail 'it does not run'
kill -KILL "${processes[@]}"
wait "$started" || true
[ "$(wc -l <"$work/killed")" -ge 8 ] || fail 'nothing was measured in a minute'
printf '{"verb":"broadcast","bytes":8,"comm' >>"$work/killed" # as if the last line was cut off, too
kept "$work/killed" >"$work/before"
run "$topomp" explain "${levels[@]}" --verb barrier --tuning "$work/killed"
sed -n 2p "$work/out" | grep -q 'tuning file$' || fail 'what was measured is not decided by'
tunes --minutes 0.01 --output "$work/killed"
[ "$status" -eq 0 ] || fail 'it does not go on'
grep -q 'cut off' "$work/err" || fail 'not a word of the line that was cut off'
kept "$work/killed" >"$work/after"
[ -z "$(comm -23 "$work/before" "$work/after")" ] || fail 'what was measured is lost'
[ "$(grep -c topomp_tuning "$work/killed")" -eq 1 ] || fail 'more than one first line'
checked=$((checked + 1))

bad() { # PATTERN ARGUMENTS...
    local pattern=$1
    shift
    tunes "$@"
    [ "$status" -eq 2 ] || fail "exit status $status, not 2: tune $*"
    [ "$(grep -c '^topomp: ' "$work/err")" -eq 1 ] || fail "not one line from topomp: tune $*"
    grep -q -- "^topomp: .*$pattern" "$work/err" || fail "no '$pattern': tune $*"
    checked=$((checked + 1))
}
cp four.tuning "$work/other"
bad 'it is of another machine' --output "$work/other"
cmp four.tuning "$work/other" || fail 'a file of another machine was changed'
bad 'line 1' --output two_levels.parameters
bad "verb 'shout'" --verb shout --output "$work/no"
bad '/nowhere/file: No such file' --output /nowhere/file
[ ! -e "$work/no" ] || fail 'a file for nothing'
# What is loaded is a file: only TOPOMP_TUNING has nodes to send between.
run timeout 100 "${launch[@]}" 4 "$topomp" explain "${levels[@]}" --verb barrier --tuning probe
[ "$status" -eq 2 ] && grep -q '^topomp: .*probe: No such file' "$work/err" || fail 'a probe that cannot be made is not refused'
checked=$((checked + 1))

# Two good files that differ, on two ranks: that of rank 0 counts, and one line says so.
{
    cat "$work/killed"
    echo '{"verb":"barrier","bytes":0,"policy":"chain","seconds":1e-9}'
} >"$work/mine"
{
    cat "$work/killed"
    echo '{"verb":"barrier","bytes":0,"policy":"binary","seconds":1e-9}'
} >"$work/others"
for named in mine others; do
    # shellcheck disable=SC2016 # the ranks' shells expand it
    run timeout 60 "${launch[@]}" 4 bash -c 'rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}
        [ "$rank" -eq 0 ] && export TOPOMP_TUNING=$1 || export TOPOMP_TUNING=$2
        exec "${@:3}"' ranks "$work/$named" "$work/$([ $named = mine ] && echo others || echo mine)" \
        "$topomp" explain "${levels[@]}" --verb barrier
    [ "$status" -eq 0 ] || fail 'two files'
    [ "$(grep -c '^topomp: ' "$work/err")" -eq 1 ] &&
        grep -qx "topomp: TOPOMP_TUNING is not the same on all ranks: that of rank 0 counts, '$work/$named'" "$work/err" ||
        fail 'not one line about two files'
    sed -n 2p "$work/out" | grep -q "^  $([ $named = mine ] && echo chain || echo binary) .*tuning file$" || fail 'not the file of rank 0'
    checked=$((checked + 1))
done

# A file that comes and goes while programs start: all ranks have it, or none, and nothing else happens.
(while :; do
    cp "$work/killed" "$work/flicker"
    sleep 0.02
    rm -f "$work/flicker"
    sleep 0.02
done) &
flickers=$!
for _ in 1 2 3; do
    TOPOMP_TUNING=$work/flicker run timeout 60 "${launch[@]}" 4 "$topomp" explain "${levels[@]}" --verb barrier
    [ "$status" -eq 0 ] && [ "$(grep -c '^barrier' "$work/out")" -eq 1 ] || fail 'a file that comes and goes'
done
kill "$flickers"
wait "$flickers" 2>/dev/null || true
checked=$((checked + 1))

# The MPI runs exported rules: where an algorithm that there is not stands for long reductions, these fail, and short
# ones do not. (The library itself makes no reductions with a root.)
calls() { run timeout 60 "${launch[@]}" 4 "$topomp" tune --minutes 0.01 --verb reduce --bytes "$1" --output "$work/calls" --again; }
launcher=$("${launch[0]}" --version 2>&1)
if [[ $launcher == *'Open MPI'* ]]; then
    "$topomp" tune --export ompi four.tuning --output "$work/rules"
    sed 's/^512 7 0 0/512 99 0 0/' "$work/rules" >"$work/broken"
    export OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_dynamic_rules_filename=$work/rules
    other() { export OMPI_MCA_coll_tuned_dynamic_rules_filename=$1; }
elif [[ ${launcher,,} == *hydra* ]]; then
    "$topomp" tune --export mpich four.tuning --output "$work/rules" 2>"$work/words"
    python3 - "$work/rules" "$work/broken" <<'END'
import sys

text = open(sys.argv[1]).read()
mine = text.index('"comm_size<=4"', text.index('"collective=reduce"'))
end = text.index('"comm_size=any"', mine)
part = text[mine:end].replace('MPIR_Reduce_intra_reduce_scatter_gather', 'MPIR_Scan_intra_smp')
open(sys.argv[2], 'w').write(text[:mine] + part + text[end:])
END
    export MPIR_CVAR_DEVICE_COLLECTIVES=percoll MPIR_CVAR_REDUCE_DEVICE_COLLECTIVE=0
    export MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=$work/rules
    other() { export MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=$1; }
else
    echo "rules are not tried: ${launch[0]} belongs to neither Open MPI nor MPICH"
    exit
fi
for bytes in 8 32K; do
    calls "$bytes"
    [ "$status" -eq 0 ] || fail "rules, reductions of $bytes"
done
other "$work/broken"
calls 8
[ "$status" -eq 0 ] || fail 'broken rules for long reductions, but short ones fail'
calls 32K
[ "$status" -ne 0 ] || fail 'the rules are not run'
checked=$((checked + 1))
