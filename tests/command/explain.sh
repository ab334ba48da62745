#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# topomp explain, without MPI: what is decided on machines that are described, and bad input.
. "$(dirname "${BASH_SOURCE[0]}")/support.sh"

# explains "FIRST LINE" "PATTERN OF THE SECOND" ARGUMENTS...
explains() {
    local heading=$1 pattern=$2
    shift 2
    run "$topomp" explain "$@"
    [ "$status" -eq 0 ] || fail "exit status $status: explain $*"
    [ "$(sed -n 1p "$work/out")" = "$heading" ] || fail "not '$heading': explain $*"
    sed -n 2p "$work/out" | grep -q -- "$pattern" || fail "not '$pattern': explain $*"
    checked=$((checked + 1))
}
two='node:2 core:4'
explains 'broadcast of 8 bytes: 8 ranks on 2 nodes of 4, with memory in common' 'within<kind::machine, shared>.*direct_messages.* model of ntw32x16$' \
    --machine "$two" --verb broadcast --bytes 8
explains 'reduce of 65536 bytes: 16 ranks on 16 nodes of 1' 'k_ary_rabenseifner<.*model of ntw32x16$' \
    --machine 'node:16 core:1' --verb reduce --bytes 64K
explains 'all_gather of 8 bytes: 8 ranks on 2 nodes of 4, with memory in common' 'node_aggregated.*tuned table$' \
    --machine "$two" --verb all_gather --bytes 8
explains 'all_to_all of 8 bytes: 8 ranks on 2 nodes of 4, with memory in common' 'node_aggregated.*model of ntw32x16$' \
    --machine "$two" --verb all_to_all --bytes 8
explains 'all_gather of 8 bytes: 8 ranks on 2 nodes of 4' 'k_ary_recursive_doubling<4>.*tuned table$' \
    --machine "$two" --verb all_gather --bytes 8 --no-memory
explains 'broadcast of 16384 bytes: 256 ranks on 16 nodes of 16, with memory in common' 'rounds_in_lanes<4>.*models of ntw32x16 and others$' \
    --machine 'node:16 core:16' --verb broadcast --bytes 16K
explains 'all_reduce of 8 bytes: 6 ranks on 2 nodes of 2 to 4, with memory in common' 'model of ntw32x16$' \
    --machine "$two" --ranks 6 --verb all_reduce --bytes 8
explains 'all_reduce of 8 bytes: 8 ranks on 2 nodes of 4, dealt in turn, with memory in common' 'model' \
    --machine "$two" --place round-robin --verb all_reduce --bytes 8
explains 'reduce of 1048576 bytes, in the order of ranks: 8 ranks on 2 nodes of 4' 'tuned table$' \
    --machine "$two" --verb reduce --bytes 1M --ordered --no-memory
explains 'gather of 8 bytes: 4 ranks of one node, with memory in common' 'shared .*tuned table$' \
    --machine 'core:4' --verb gather --bytes 8
explains 'all_reduce of 8 bytes: 8 ranks on 2 nodes of 4' 'model with measured parameters$' \
    --machine "$two" --bytes 8 --no-memory --tuning two_levels.parameters
explains 'all_reduce of 8 bytes: 8 ranks on 2 nodes of 4' 'model of ethernet_10$' \
    --machine "$two" --bytes 8 --no-memory --tuning ethernet_10
grep -qx 'ethernet_10: line rate of TCP, assumed latency' "$work/out" || fail 'not said where ethernet_10 is from'
# Of two sources each counts for what it has.
explains 'all_reduce of 8 bytes: 8 ranks on 2 nodes of 4' 'model with measured parameters$' \
    --machine "$two" --bytes 8 --no-memory --tuning ethernet_10,two_levels.parameters
explains 'all_reduce of 8 bytes: 8 ranks on 2 nodes of 4' 'model with measured parameters$' \
    --machine "$two" --bytes 8 --no-memory --tuning missing,two_levels.parameters
[ "$(wc -l <"$work/err")" -eq 1 ] && grep -q 'missing: No such file.*; the file is not used$' "$work/err" || fail 'not one line for a source that is missing'
cp two_levels.parameters "$work/a,b"
explains 'all_reduce of 8 bytes: 8 ranks on 2 nodes of 4' 'model with measured parameters$' \
    --machine "$two" --bytes 8 --no-memory --tuning "$work/a,b"

# Three other plans always, with their time if it is known.
for verb in barrier broadcast reduce all_reduce gather gatherv scatter scatterv all_gather all_gatherv all_to_all reduce_scatter scan exclusive_scan; do
    for machine in "$two" core:4 'package:2 numa:2 core:2' 'node:16 core:1'; do
        run "$topomp" explain --machine "$machine" --verb "$verb" --bytes 8,64K
        [ "$status" -eq 0 ] || fail "exit status $status: explain --machine '$machine' --verb $verb"
        awk '/^next$/ { inside = 1; next } /^  / && inside { ++others; if ($0 !~ / [0-9.]+ us  | -     /) exit 1; next } { inside = 0 }
            END { exit others % 3 != 0 || others < 3 }' "$work/out" || fail "not three others: explain --machine '$machine' --verb $verb"
        checked=$((checked + 1))
    done
done
# Ranks that outnumber cores change nothing inside one node, as in a run.
run "$topomp" explain --machine 'package:2 numa:2 core:2' --ranks 16 --verb all_reduce --bytes 8
sed -n 2p "$work/out" | grep -q 'model of a usual node' || fail 'ranks that outnumber the cores of one node are not decided for as in a run'
checked=$((checked + 1))

# Without a machine, this one.
run "$topomp" explain --verb broadcast --bytes 8
[ "$status" -eq 0 ] || fail "exit status $status: explain --verb broadcast"
grep -q '^broadcast of 8 bytes: .* node' "$work/out" || fail 'not of this machine: explain --verb broadcast'
checked=$((checked + 1))

bad() { refused "$1" explain "${@:2}"; }
bad "verb 'bcast': it must be one of barrier, broadcast" --verb bcast
bad "verb 'shout': it must be one of barrier, broadcast" --machine "$two" --verb shout
bad "--bytes '1X': it must be a number" --machine "$two" --bytes 1X
bad "--bytes '-1'" --machine "$two" --bytes=-1
bad "--place 'here'" --machine "$two" --place here
bad 'missing: No such file' --machine "$two" --tuning missing
bad 'two.place, line 1: unknown word' --machine "$two" --tuning two.place
