#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Without MPI: bad input is one line on standard error that names it, exit status 2, nothing on standard output.
. "$(dirname "${BASH_SOURCE[0]}")/support.sh"

two=(show --machine "node:2 core:2")

refused 'frobnicate' frobnicate
refused "shwo; did you mean 'show'?\$" shwo
refused "mesure; did you mean 'measure'?\$" mesure
refused "doc; did you mean 'doctor'?\$" doc
refused "--formt; did you mean '--format'?\$" show --formt json
refused "--topology=x; did you mean '--topology-conf'?\$" show --topology=x
refused "--verison; did you mean '--version'?\$" --verison
refused '--quite-another$' show --quite-another
refused '--output is required' describe
refused '"node:2 foo:3": column 8: unknown kind .foo' show --machine "node:2 foo:3"
refused '"node:2 core": column 12: ' show --machine "node:2 core"
refused '"node:0": column 6: ' show --machine "node:0"
refused '"": column 1: ' show --machine ""
refused '"switch:2 (node:2": column 10: ' show --machine "switch:2 (node:2"
refused 'missing.xml: No such file' show --xml missing.xml
refused 'cut.xml: ' show --xml cut.xml
refused 'no_numa.xml: hwloc cannot load' show --xml no_numa.xml # hwloc says so too
refused 'two.place: ' show --xml two.place
refused '--machine excludes --xml' show --machine core:1 --xml two_packages.xml
refused '--nodes: .*0' show --xml two_packages.xml --nodes 0
refused '--nodes requires --xml' show --nodes 2
refused 'unknown_key.conf, line 1, column 30: .*Nodez' "${two[@]}" --topology-conf unknown_key.conf
refused 'missing.conf: No such file' "${two[@]}" --topology-conf missing.conf
refused "node0.*unknown_host.switches" "${two[@]}" --network unknown_host.switches
refused 'two.place, line 1' "${two[@]}" --network two.place
refused "kind 'Socket'.*Package" "${two[@]}" --only Socket
refused "kind 'Foo'" "${two[@]}" --skip Machine,Foo
refused "--tree 'ring': it is not one tree" "${two[@]}" --tree ring
refused "--tree 'rong': column 1: there is no 'rong'; known are automatic, flat" "${two[@]}" --tree rong
refused "--tree 'per_level<on<machine, chain>>': column 11: the last rule must be otherwise<shape>" "${two[@]}" --tree 'per_level<on<machine, chain>>'
refused "--tree 'chain,linear': column 6: nothing may stand behind the policy" "${two[@]}" --tree chain,linear
refused "column 14: there is no kind 'socket'; known are cluster, " "${two[@]}" --tree 'per_level<on<socket, chain>, otherwise<linear>>'
refused '--root 4: there are ranks 0 to 3' "${two[@]}" --tree chain --root 4
refused '--root requires --tree' "${two[@]}" --root 1
refused '--format json: trees' "${two[@]}" --tree chain --format json
refused '--format: pdf' "${two[@]}" --format pdf
refused '--max-depth: .*-1' "${two[@]}" --max-depth -1
refused '--ranks: .*0' "${two[@]}" --ranks 0
refused '--ranks: .*many' "${two[@]}" --ranks many
refused '2 seats: there are 3 ranks' "${two[@]}" --place two.place --ranks 3
refused 'outside.place, line 2: .*node1: .*no CPU 7' "${two[@]}" --place outside.place
refused "unknown_node.place, line 2: unknown node 'rack9'" "${two[@]}" --place unknown_node.place
refused 'bad_cpus.place, line 2: .*"0-x": column 3' "${two[@]}" --place bad_cpus.place
refused 'nobody.place: ' "${two[@]}" --place nobody.place
refused 'missing.place: No such file' "${two[@]}" --place missing.place
refused '/nowhere/file: No such file' "${two[@]}" --output /nowhere/file
refused 'extra' show extra

# A disk that is full is noticed, whichever way the output goes.
if [ -w /dev/full ]; then
    refused '/dev/full: No space' "${two[@]}" --output /dev/full
    status=0
    "$topomp" "${two[@]}" >/dev/full 2>"$work/err" || status=$?
    [ "$status" -eq 2 ] && grep -q '^topomp: .*standard output: No space' "$work/err" || fail "standard output is full"
    checked=$((checked + 1))
fi
