#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Without MPI: the JSON documents of known machines, worked out by hand.
. "$(dirname "${BASH_SOURCE[0]}")/support.sh"

node_of_paper_1="package:2 numa:1 l3:1 l2:2 l1:1 core:2"
shows_json paper_5_1.json --machine "node:4 $node_of_paper_1"
shows_json paper_5_1.json --machine "node:4 $node_of_paper_1" --ranks 32
shows_json paper_5_1.json --machine "node:4 $node_of_paper_1" --place paper_5_1.place
shows_json paper_5_2.json --machine "$node_of_paper_1" --place paper_5_2.place
shows_json switches_round_robin.json --machine "switch:2 node:2 core:2" --place round-robin
shows_json scattered.json --machine "node:2 package:2 core:2" --place scattered.place --ranks 7
shows_json xml_nodes.json --xml two_packages.xml --nodes 3 --ranks 6
shows_json one_rank.json --machine "core:1"
shows_json one_rank.json --machine "switch:2 node:3 core:2" --ranks 1

# What the file of an option says is what stands in the file of another.
run "$topomp" show --format json --machine "node:4 core:2" --output "$work/file"
[ ! -s "$work/out" ] || fail "--output: something on standard output"
run "$topomp" show --format json --machine "node:4 core:2"
cmp "$work/out" "$work/file" || fail "--output: not what standard output gets"
checked=$((checked + 1))

# This machine: whatever it is, a document with all its ranks.
run "$topomp" show --format json --ranks 3
[ "$status" -eq 0 ] && grep -q '^{"size":3,"max_depth":[0-9]*,"communicators":\[.*\],"roots":\[.*\]}$' "$work/out" ||
    fail "this machine"
checked=$((checked + 1))
