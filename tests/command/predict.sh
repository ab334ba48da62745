#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# topomp predict: times worked out by hand from the parameters in two_levels.parameters, and bad input.
. "$(dirname "${BASH_SOURCE[0]}")/support.sh"
file=two_levels.parameters # 4 nodes of 2 ranks; 1000 bytes: gap 2, time 4 us between nodes, 1 and 2 us inside

# predicts "SECOND LINE" ARGUMENTS...: in words, for 1000 bytes
predicts() {
    local expected=$1
    shift
    run "$topomp" predict --parameters "$file" --bytes 1000 "$@"
    [ "$status" -eq 0 ] || fail "exit status $status: predict $*"
    [ "$(sed -n 2p "$work/out" | xargs)" = "$expected" ] || fail "not '$expected': predict $*"
    checked=$((checked + 1))
}
predicts '1000 10.00 14.00' --verb broadcast --policy linear --policy chain # 2 + 2 + 4, 2; 4, 4, 4, 2
predicts '1000 10.00' --policy 'per_level<on<cluster, binomial>, otherwise<linear>>' # 4, 4 and 2
predicts '1000 10.00' --policy hierarchical:linear --verb reduce
predicts '1000 20.00' --policy 'placement_independent<chain>'               # 4 inside, 3 between the nodes
predicts '1000 13.00' --policy chain --segment 500                           # 3, 3, 3, 1.5, and 1.5 + 1 behind
predicts '1000 28.00' --verb all_gather --policy ring                       # 7 steps of 4
predicts '1000 28.00' --verb all_to_all --policy pairwise
predicts '1000 28.00' --verb reduce_scatter --policy ring                   # of each rank's result
predicts '1000 10.00' --verb all_reduce --policy recursive_doubling         # 2, 4, 4
predicts '1000 6.00' --verb barrier --policy dissemination                  # three steps between nodes, no bytes
# As automatic sees them: two rounds of 4 and 0.05 among the nodes; with memory in common 0.25 and 0.3 before, 0.25 and 0.2 behind.
through_memory='hierarchical<within<kind::machine, shared>, otherwise<direct_messages>>'
# That is the MPI's own among them, which automatic does not choose unmeasured: halves there and back, 3 and 3, a half whole, 3, and 0.05.
# Each rank to two nodes: 0.25 and 0.3 before, 2 and 4, a signal of both ranks of a node, 0.2628, the sums of four nodes, 0.4, and three
# times 0.1, with what receiving takes. Slices of 500 bytes: 0.25 until the memory is free, 0.25, 0.2 and 0.05 before, to three others,
# 1.5, 1.5, 3 and 0.15, a signal and a copy behind, 0.25 and 0.1.
by_all='hierarchical<within<kind::machine, shared>, otherwise<multi_object>>'
in_lanes='hierarchical<within<kind::machine, shared>, otherwise<rounds_in_lanes<4>>>'
predicts '1000 9.10 7.51 7.25' --verb all_reduce --policy "$through_memory" --policy "$by_all" --policy automatic
# Parts of 500 bytes divided by four: twice 1.125, 1.125 and 2.25, and 0.0375 for combining, in the place of 6.15.
predicts '1000 10.14' --verb all_reduce --policy "${in_lanes/4>/4, 128>}"
predicts '1000 7.25' --verb all_reduce --policy automatic
[ "$(tail -n 1 "$work/out")" = "automatic, 1000 bytes: $in_lanes, by model with measured parameters" ] || fail 'what automatic decides'

run "$topomp" predict --parameters "$file"
[ "$status" -eq 0 ] || fail 'no default'
[ "$(wc -l <"$work/out")" -eq 8 ] || fail 'not seven lengths and a heading'
checked=$((checked + 1))

# What cannot be so on any machine is refused, and so is what topomp measure has marked.
nonsense() { # PATTERN LINES: in place of the messages between the nodes
    awk -v lines="$2" '/^level 4/ { print; print lines; skip = 1; next } /^level/ { skip = 0 } !skip' "$file" >"$work/parameters"
    refused "$1" predict --parameters "$work/parameters"
}
nonsense 'inside a System - Cluster, messages of 1e+06 bytes take less time than those of 0 bytes' 'message 0 0 0 1e-6 2e-6
message 1000000 0 0 2e-7 1e-6'
nonsense 'messages of 1e+06 bytes take next to no time' 'message 0 0 0 1e-10 1e-10
message 1000000 0 0 1e-10 1e-10'
nonsense '2 ranks at a time reach a rate that cannot be' 'message 0 0 0 1e-6 2e-6
flows 2 1e18'
nonsense 'spread by more than themselves' 'message 0 0 0 1e-6 2e-6
spread 0 0 0 0 1.5'
nonsense 'not like this' 'message 0 0 0 1e-6 2e-6
note unusable not like this'
# A little noise is none.
sed 's/^message 0 .*/&\nspread 0 0.1 0.1 0.1 0.2/' "$file" >"$work/parameters"
run "$topomp" predict --parameters "$work/parameters"
[ "$status" -eq 0 ] || fail 'parameters with spreads'

bad() { refused "$1" predict "${@:2}"; }
bad '--parameters is required'
bad 'missing: No such file' --parameters missing
bad 'two.place, line 1: unknown word' --parameters two.place
bad "--verb 'foo': there are models of all_gather" --parameters "$file" --verb foo
bad "column 1: there is no 'foo'; known are automatic, flat" --parameters "$file" --policy foo
bad "column 14: there is no kind 'foo'; known are cluster, " --parameters "$file" --policy 'per_level<on<foo, linear>, otherwise<chain>>'
bad 'only broadcast sends halves' --parameters "$file" --verb reduce --policy split_binary
bad 'for all_to_all there are models of pairwise, bruck' --parameters "$file" --verb all_to_all --policy linear
bad '--bytes' --parameters "$file" --bytes -8
bad '--segment' --parameters "$file" --segment -8
