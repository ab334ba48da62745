#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# maps.sh PRELOADS MAPS FORTRAN FORTRAN_F08 LAUNCHER...: Cart_map gives the numbers of Cart_create, and Dims_create is
# topomp's where it is asked for.
# A Fortran program may be missing: an empty word.
set -euo pipefail
preloads=$1 maps=$2 fortran=("$3" "$4")
shift 4
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
fail() { echo "maps: $1"; cat "$work/out" "$work/err"; exit 1; }

# RANKS MACHINE PLACE PROGRAM...: runs it with what `parts` says.
parts=grids,dims_create
try() {
    "${launch[@]}" "$1" env "LD_PRELOAD=$preloads" "TOPOMP_PRELOAD=$parts" "TOPOMP_MACHINE=$2" \
        "TOPOMP_PLACE=$3" TOPOMP_REPORT=1 "${@:4}" >"$work/out" 2>"$work/err" </dev/null || fail "it failed: $*"
}
launch=("$@")
served() { awk -v verb="$1" '/^verb/ { table = 1 } table && $1 == verb { print $3 }' "$work/err"; }

# Twelve ranks on nodes of three: of 4 x 3 cells 18 messages leave nodes, of 6 x 2 cells 16.
try 12 'node:4 core:3' core "$maps" 2
grep -q 'maps and dims are right' "$work/out" || fail 'numbers or dims are wrong'
grep -q '^dims: 6 2 0$' "$work/out" || fail 'the dims are not those of the nodes'
try 7 'node:3 core:3' round-robin "$maps"
grep -q 'maps and dims are right' "$work/out" || fail 'numbers or dims are wrong'
for verb in cart_create cart_map dims_create; do
    [ "$(served $verb)" -gt 0 ] || fail "topomp did not serve $verb"
done

# What nobody asked for: Cart_map gives the numbers of Cart_create then too.
parts=
try 3 'node:2 core:2' round-robin "$maps"
grep -q 'maps and dims are right' "$work/out" || fail 'numbers are wrong where nothing was asked for'
[ "$(served cart_map)" -gt 0 ] || fail 'topomp did not serve cart_map unasked'
parts=grids,dims_create

for program in "${fortran[@]}"; do
    [ -n "$program" ] || continue
    try 6 'node:3 core:2' round-robin "$program"
    grep -q '^cells  *6$' "$work/out" || fail 'dims of Fortran are wrong'
    grep -q '^ranks of a map  *55$' "$work/out" || fail 'the map of Fortran is wrong'
    [ "$(served cart_map)" -eq 6 ] || fail 'topomp did not serve mpi_cart_map'
    [ "$(served dims_create)" -eq 6 ] || fail 'topomp did not serve mpi_dims_create'
done
echo 'maps: as documented'
