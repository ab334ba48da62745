#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Under mpirun: bad input is one line from rank 0, besides mpirun's own words; exit status 2; nothing on standard
# output; and no rank waits for another that has given up.
. "$(dirname "${BASH_SOURCE[0]}")/support.sh"

bad() {
    local pattern=$1
    shift
    run timeout 60 "${launch[@]}" 3 "$topomp" "$@"
    [ "$status" -eq 2 ] || fail "exit status $status, not 2: topomp $*"
    [ ! -s "$work/out" ] || fail "something on standard output: topomp $*"
    [ "$(grep -c '^topomp: ' "$work/err")" -eq 1 ] || fail "not one line from topomp: topomp $*"
    grep -q -- "^topomp: .*$pattern" "$work/err" || fail "no '$pattern': topomp $*"
    ! grep -q 'terminate called\|MPI_Abort\|Signal' "$work/err" || fail "a rank crashed: topomp $*"
    checked=$((checked + 1))
}

# Each way in which an error can come up: before any communication, in it, on rank 0 alone, on all ranks.
two=(show --machine "node:2 core:2")
bad "did you mean 'show'" shwo
bad 'unknown kind .foo' show --machine "node:2 foo:3"
bad 'missing.xml: No such file' show --xml missing.xml
bad "kind 'Foo'" show --only Foo
bad '--format: pdf' show --format pdf
bad '--ranks 4: this run has 3 ranks' show --ranks 4
bad '--ranks 4: this run has 3 ranks' explain --ranks 4
bad 'missing: No such file' explain --tuning missing
bad '2 seats: there are 3 ranks' "${two[@]}" --place two.place
bad 'outside.place, line 2: .*no CPU 7' "${two[@]}" --place outside.place
bad 'unknown_key.conf, line 1' show --topology-conf unknown_key.conf
bad 'not in unknown_host.switches' show --network unknown_host.switches
bad '/nowhere/file: No such file' "${two[@]}" --output /nowhere/file

# A file that the nodes of some ranks lack: here those of rank 1, which looks for it in another folder.
lacks_files='[ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:?}}" != 1 ] || cd /; exec "$0" "$@"'
run timeout 60 "${launch[@]}" 2 bash -c "$lacks_files" "$topomp" "${two[@]}" --place two.place
[ "$status" -eq 2 ] && [ ! -s "$work/out" ] || fail "exit status $status, not 2, of a file that rank 1 lacks"
grep -q '^topomp: .*two.place: No such file.*on rank 1' "$work/err" || fail 'not a word of the file that rank 1 lacks'
checked=$((checked + 1))
