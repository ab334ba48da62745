#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# topomp doctor: it names what is wrong, with what to do, and its exit status says whether there is anything. What is so
# on this machine besides is not looked at.
. "$(dirname "${BASH_SOURCE[0]}")/support.sh"

# examined COMMAND...: lines have their form, and the exit status follows from them.
examined() {
    run timeout 60 "$@"
    grep -q '^\(fine\|advice\|wrong\) ' "$work/out" || fail "no finding: $*"
    ! sed '$d' "$work/out" | grep -v '^\(fine  \|advice\|wrong \)  [A-Za-z-]\|^  ' || fail "a line of no form: $*"
    local wrong=0
    ! grep -q '^wrong ' "$work/out" || wrong=1
    [ "$status" -eq "$wrong" ] || fail "exit status $status, with $wrong in its lines: $*"
    local arrows bad
    bad=$(grep -c '^\(wrong\|advice\) ' "$work/out" || true)
    arrows=$(grep -c '^ *-> ' "$work/out" || true)
    [ "$arrows" -le "$bad" ] && { [ "$wrong" -eq 0 ] || [ "$arrows" -gt 0 ]; } || fail "$arrows remedies for $bad findings: $*"
    checked=$((checked + 1))
}
has() { grep -q -- "$1" "$work/out" || fail "no '$1'"; checked=$((checked + 1)); }

examined "$topomp" doctor
for part in topomp MPI Boost.MPI 'preload library' Slurm ranks hardware 'shared memory' left-overs 'single copies'; do
    has "^[a-z]*  *$part  "
done
has '^fine *MPI *\(Open MPI\|MPICH\)'
has '^fine *Boost.MPI *for the same MPI'

# A file of an ended program: as MPIs call theirs, and nobody has it open.
left=/dev/shm/vader_segment.topomp-test.$$
trap 'rm -f "$left"; finish' EXIT
if echo left 2>/dev/null >"$left"; then
    examined "$topomp" doctor
    has '^wrong *left-overs'
    tr -d '\n' <"$work/out" | tr -s ' ' | grep -q "rm .*$left" || fail 'the file is not named'
    exec 9<"$left" # now somebody has
    examined "$topomp" doctor
    ! tr -d '\n' <"$work/out" | grep -q "$left" || fail 'a file in use is called left over'
    exec 9<&-
    rm "$left"
fi

# A library of another MPI in the process, as a Boost.MPI of another MPI brings.
case $("$topomp" doctor | grep '^fine  *MPI') in
    *MPICH*) other=libmpi.so.40 ;;
    *) other=libmpich.so.12 ;;
esac
path=$(ldconfig -p 2>/dev/null | sed -n "s/.*$other .* => //p" | head -n 1)
if [ -n "$path" ]; then
    # Behind the command's own, so that its calls stay with these.
    own=$(ldd "$topomp" | sed -n 's/.*=> \(.*libmpi[a-z]*\.so[^ ]*\).*/\1/p' | head -n 1)
    run env LD_PRELOAD="$own:$path" "$topomp" doctor
    [ "$status" -eq 1 ] || fail "two MPI libraries: exit status $status"
    has '^wrong *Boost.MPI *two MPI libraries are loaded'
fi

# A launcher of another MPI.
mkdir "$work/bin"
for name in mpirun mpiexec; do
    printf '#!/bin/sh\necho "%s"\n' "$([ "$other" = libmpi.so.40 ] && echo 'mpirun (Open MPI) 4.1.4' || echo 'HYDRA build details:')" \
        >"$work/bin/$name"
    chmod +x "$work/bin/$name"
done
examined env PATH="$work/bin:$PATH" "$topomp" doctor
has '^advice *launcher *mpirun on PATH is that of'

# Under a launcher each thing is said once.
examined "${launch[@]}" 3 "$topomp" doctor
has '^fine *ranks *3 on 1 nodes, started by'
[ "$(grep -c 'shared memory' "$work/out")" -eq 1 ] || fail 'shared memory is looked at more than once a node'
