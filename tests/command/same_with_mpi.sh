#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# The same machine and placement give the same document with MPI, from real communicators, and without.
. "$(dirname "${BASH_SOURCE[0]}")/support.sh"

same() {
    local ranks=$1
    shift
    "$topomp" show --format json --ranks "$ranks" "$@" >"$work/planned"
    run timeout 60 "${launch[@]}" "$ranks" "$topomp" show --format json "$@"
    [ "$status" -eq 0 ] || fail "$ranks ranks: $*"
    diff -u <(json_lines <"$work/planned") <(json_lines <"$work/out") || fail "$ranks ranks: $*: not the same"
    checked=$((checked + 1))
}
same 8 --machine "package:2 numa:1 l3:1 l2:2 l1:1 core:2" --place paper_5_2.place
same 7 --machine "node:2 package:2 core:2" --place scattered.place
same 8 --machine "switch:2 node:2 core:2" --place round-robin
same 6 --xml two_packages.xml --nodes 3
same 4 --machine "node:3 core:2" --network quoted.switches --skip Core
same 1 --machine "switch:2 node:2 core:2"
same 5 --machine "core:2"
