#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Without MPI: the hierarchy of a million ranks fits into little memory.
. "$(dirname "${BASH_SOURCE[0]}")/support.sh"

communicators=$((15625 * (1 + 2 + 4 + 64))) # and the whole

# FORMAT: the limit is on addresses, of which libraries have some.
show_million() (
    ulimit -v $((750 * 1024))
    exec "$topomp" show --machine "node:15625 package:2 l3:2 core:16" --format "$1"
)

found=$(show_million json | tr '{' '\n' | grep -c '^"depth":[0-9]*,"type"') || fail "a million ranks as JSON"
[ "$found" -eq "$communicators" ] || fail "JSON: $found communicators"
checked=$((checked + 1))

found=$(show_million text | wc -l) || fail "a million ranks as text"
[ "$found" -eq $((communicators + 1)) ] || fail "text: $found communicators"
checked=$((checked + 1))
