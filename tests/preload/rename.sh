#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# rename.sh RENAME.cmake COMPILER NM OBJCOPY AR: calls of MPI in machine code become calls by the profiling names, and
# what link-time optimisation compiles later is refused, for objcopy leaves its names as they are.
set -euo pipefail
script=$1 compiler=$2 nm=$3 objcopy=$4 ar=$5
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
fail() { echo "rename: $1"; exit 1; }

cat >"$work/calls.cpp" <<'CODE'
extern "C" {
int MPI_Barrier(int);
int intercepted_MPI_Barrier(int comm) { return MPI_Barrier(comm); }
int intercepted_MPI_Bcast(int comm) { return intercepted_MPI_Barrier(comm); }
}
CODE

renamed() { # FLAG: whether it was
    "$compiler" -fPIC "$1" -c "$work/calls.cpp" -o "$work/calls.o"
    rm -f "$work/calls.a" "$work/renamed.a"
    "$ar" rcs "$work/calls.a" "$work/calls.o"
    cmake "-DNM=$nm" "-DOBJCOPY=$objcopy" "-DFROM=$work/calls.a" "-DTO=$work/renamed.a" -P "$script" >"$work/said" 2>&1
}
renamed -fno-lto || fail "it refused machine code: $(cat "$work/said")"
names=$("$nm" --format=posix "$work/renamed.a" | awk '/MPI_/ { print $1, $2 }' | sort)
[ "$names" = $'MPI_Barrier T\nMPI_Bcast T\nPMPI_Barrier U' ] || fail "it made $names"
if renamed -flto; then fail 'it took code of link-time optimisation'; fi
grep -qE 'fno-lto|LTO-compiled' "$work/said" || fail "it said $(cat "$work/said")"
echo 'rename: machine code only'
