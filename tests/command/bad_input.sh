#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Without MPI: bad input is one line on standard error that names it, exit status 2, nothing on standard output.
. "$(dirname "${BASH_SOURCE[0]}")/support.sh"

bad() {
    local pattern=$1
    shift
    run "$topomp" "$@"
    [ "$status" -eq 2 ] || fail "exit status $status, not 2: topomp $*"
    [ ! -s "$work/out" ] || fail "something on standard output: topomp $*"
    [ "$(wc -l <"$work/err")" -eq 1 ] || fail "not one line on standard error: topomp $*"
    grep -q -- "^topomp: .*$pattern" "$work/err" || fail "no '$pattern': topomp $*"
    checked=$((checked + 1))
}
two=(show --machine "node:2 core:2")

bad 'subcommand'
bad 'frobnicate' frobnicate
bad '"node:2 foo:3": column 8: unknown kind .foo' show --machine "node:2 foo:3"
bad '"node:2 core": column 12: ' show --machine "node:2 core"
bad '"node:0": column 6: ' show --machine "node:0"
bad '"": column 1: ' show --machine ""
bad '"switch:2 (node:2": column 10: ' show --machine "switch:2 (node:2"
bad 'missing.xml: No such file' show --xml missing.xml
bad 'cut.xml: ' show --xml cut.xml
bad 'two.place: ' show --xml two.place
bad '--machine excludes --xml' show --machine core:1 --xml two_packages.xml
bad '--nodes: .*0' show --xml two_packages.xml --nodes 0
bad '--nodes requires --xml' show --nodes 2
bad 'unknown_key.conf, line 1, column 30: .*Nodez' "${two[@]}" --topology-conf unknown_key.conf
bad 'missing.conf: No such file' "${two[@]}" --topology-conf missing.conf
bad "node0.*unknown_host.switches" "${two[@]}" --network unknown_host.switches
bad 'two.place, line 1' "${two[@]}" --network two.place
bad "kind 'Socket'.*Package" "${two[@]}" --only Socket
bad "kind 'Foo'" "${two[@]}" --skip Machine,Foo
bad "--tree 'ring': there is no shape 'ring'; known are linear" "${two[@]}" --tree ring
bad "--tree 'Machine=chain': a shape for all other levels" "${two[@]}" --tree Machine=chain
bad "--tree 'chain,linear': the shape for all other" "${two[@]}" --tree chain,linear
bad "--tree 'Socket=chain,linear': there is no kind 'Socket'" "${two[@]}" --tree Socket=chain,linear
bad '--root 4: there are ranks 0 to 3' "${two[@]}" --tree chain --root 4
bad '--root requires --tree' "${two[@]}" --root 1
bad '--format json: trees' "${two[@]}" --tree chain --format json
bad '--format: pdf' "${two[@]}" --format pdf
bad '--max-depth: .*-1' "${two[@]}" --max-depth -1
bad '--ranks: .*0' "${two[@]}" --ranks 0
bad '--ranks: .*many' "${two[@]}" --ranks many
bad '2 seats: there are 3 ranks' "${two[@]}" --place two.place --ranks 3
bad 'outside.place, line 2: .*node1: .*no CPU 7' "${two[@]}" --place outside.place
bad "unknown_node.place, line 2: unknown node 'rack9'" "${two[@]}" --place unknown_node.place
bad 'bad_cpus.place, line 2: .*"0-x": column 3' "${two[@]}" --place bad_cpus.place
bad 'nobody.place: ' "${two[@]}" --place nobody.place
bad 'missing.place: No such file' "${two[@]}" --place missing.place
bad '/nowhere/file: No such file' "${two[@]}" --output /nowhere/file
bad 'extra' show extra

# A disk that is full is noticed, whichever way the output goes.
if [ -w /dev/full ]; then
    bad '/dev/full: No space' "${two[@]}" --output /dev/full
    status=0
    "$topomp" "${two[@]}" >/dev/full 2>"$work/err" || status=$?
    [ "$status" -eq 2 ] && grep -q '^topomp: .*standard output: No space' "$work/err" || fail "standard output is full"
    checked=$((checked + 1))
fi
