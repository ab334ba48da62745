#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Without MPI: the hierarchy of many ranks fits into little memory. NODES=15625: of a million.
. "$(dirname "${BASH_SOURCE[0]}")/support.sh"

nodes=${NODES:-1562}
communicators=$((nodes * (1 + 2 + 4 + 64))) # and the whole

# FORMAT: the limit is on addresses, of which libraries have some.
show_many() (
    ulimit -v $((40 * 1024 + nodes * 64 * 71 / 100))
    exec "$topomp" show --machine "node:$nodes package:2 l3:2 core:16" --format "$1"
)

found=$(show_many json | tr '{' '\n' | grep -c '^"depth":[0-9]*,"type"') || fail "$nodes nodes as JSON"
[ "$found" -eq "$communicators" ] || fail "JSON: $found communicators"
checked=$((checked + 1))

found=$(show_many text | wc -l) || fail "$nodes nodes as text"
[ "$found" -eq $((communicators + 1)) ] || fail "text: $found communicators"
checked=$((checked + 1))
