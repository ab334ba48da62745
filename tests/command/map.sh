#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# `topomp map`: its documents, what it emits for launchers, and what it refuses.
. "$(dirname "${BASH_SOURCE[0]}")/support.sh"

# prints EXPECTED ARGUMENTS...: 'topomp map ARGUMENTS' prints that.
prints() {
    local wanted=$1
    shift
    run "$topomp" map "$@"
    [ "$status" -eq 0 ] || fail "map $*: exit status $status"
    [ ! -s "$work/err" ] || fail "map $*: something on standard error"
    diff -u <(printf '%s\n' "$wanted") "$work/out" || fail "map $*"
    checked=$((checked + 1))
}
# has PATTERN ARGUMENTS...
has() {
    local pattern=$1
    shift
    run "$topomp" map "$@"
    [ "$status" -eq 0 ] || fail "map $*: exit status $status"
    grep -q -- "$pattern" "$work/out" || fail "map $*: no '$pattern'"
    checked=$((checked + 1))
}
# Paper 3, table 3, by its algorithm and by whatever is best.
for algorithm in gropp automatic; do
    has '"on_node":{"min":2,"max":4,"mean":3.0},"off_node":{"min":0,"max":2,"mean":1.0}' \
        --dims 128x128 --per-node 16 --algorithm $algorithm --format json
    has '"on_node":{"min":3,"max":4,"mean":3.5},"off_node":{"min":2,"max":3,"mean":2.5}' \
        --dims 32x32x16 --per-node 16 --algorithm $algorithm --format json
done
prints '{"dims":[4,4],"algorithm":"gropp","jsum":16,"jmax":4,"blocked":{"jsum":24,"jmax":8},"lower_bound":16,"on_node":{"min":2,"max":2,"mean":2.0},"off_node":{"min":2,"max":2,"mean":2.0},"seconds":0.0}' \
    --dims 4x4 --per-node 4 --format json
has '"seconds":[0-9.e-]*[1-9]' --dims 4x4 --per-node 4 --format json --seconds
has '"lower_bound":32,' --dims 2x2x2x2 --per-node 4 --format json
has '"lower_bound":null' --dims 2x2x2x2x2x2x2x2x2x2x2 --periodic 1,1,1,1,1,1,1,1,1,1,1 --per-node 4 --format json
has '"dims":\[4,4\]' --dims 0x0 --ranks 16 --per-node 4 --format json
has '"dims":\[8,3\]' --dims 0x3 --node-sizes 6x4 --format json
has '"jsum":1400,"jmax":28' --dims 50x48 --per-node 48 --periodic 1,1 --format json
has '"jsum":13824,' --dims 16x16x16 --per-node 64 --weights 16,4,1 --format json
has '"jsum":2404,' --dims 50x48 --per-node 48 --algorithm gropp --format json
has '"jmax":28,' --dims 40x25 --node-sizes 20x48,40 --first jmax --format json
has '"parts":\[{"jsum":600,.*},{"jsum":1600,' --dims 50x48 --per-node 48 --parts 2,3 --format json
# 2 x 4 cells, nodes 2 x 2. Rows: 4 links with weight 2 each way stay inside. Columns: one of three each way is cut,
# twice; and a link 3 to the right in each row.
has '"jsum":14,"jmax":12,' --dims 2x4 --per-node 4 --stencil far.stencil --algorithm gropp --format json
# Two rows each. Between them, each way, 4 columns with 5 and 6 diagonals with the lighter weight, 2.
has '"jsum":64,' --dims 4x4 --per-node 8 --stencil moore --weights 5,2 --algorithm blocked --format json
has '^this plan  *1204  *28$' --dims 50x48 --per-node 48
has '^1x1, 1 rank on 1 node, by blocked$' --dims 1x1 --per-node 1

prints 'rank 0=+n0 slot=0
rank 1=+n0 slot=1
rank 2=+n1 slot=0
rank 3=+n1 slot=1
rank 4=+n0 slot=2
rank 5=+n0 slot=3
rank 6=+n1 slot=2
rank 7=+n1 slot=3' --dims 2x4 --per-node 4 --emit rankfile
prints 'rank 0=a slot=0
rank 1=a slot=1
rank 2=b slot=0' --dims 3 --node-sizes 2,1 --emit rankfile --hosts a,b
prints '0,1,4,5
2,3,6,7' --dims 2x4 --per-node 4 --emit mpich
prints 'n7
n7
n8
n8
n7
n7
n8
n8' --dims 2x4 --per-node 4 --emit slurm --hosts 'n[7-8]'

# The picture is XML, with as many borders as slices.
for dims in 50x48 9 4x4x6; do
    run "$topomp" map --dims $dims --per-node 3 --format svg
    [ "$status" -eq 0 ] || fail "svg of $dims"
    head -n 1 "$work/out" | grep -q '^<svg xmlns=' || fail "the first line of the svg of $dims"
    if command -v xmllint >/dev/null; then xmllint --noout "$work/out" || fail "xmllint on the svg of $dims"; fi
    slices=$([ $dims = 4x4x6 ] && echo 4 || echo 1)
    [ "$(grep -c '^<path ' "$work/out")" -eq "$slices" ] || fail "svg of $dims: not $slices slices"
    checked=$((checked + 1))
done

bad() { refused "$1" map "${@:2}"; }
bad '--dims is required' --per-node 4
bad 'one of them has to say' --dims 4x4
bad "--dims 4xfour: 'four' is not a number" --dims 4xfour --per-node 4
bad '-4 is negative' --dims 4x-4 --node-sizes 16
bad 'more than an int' --dims 99999999999 --per-node 1
bad 'more cells than an int' --dims 65536x65536 --per-node 1
bad '0 leaves an extent open: --ranks has to say' --dims 4x0 --per-node 4
bad '7 does not divide the 100 ranks .* nearest grids are 5x20 or 10x10 or 4x25' --dims 7x0 --ranks 100 --per-node 10
bad '2401 cells for the 2400 ranks .* nearest grids are 50x48 or ' --dims 49x49 --node-sizes 50x48
bad '48 together' --dims 7x7 --ranks 49 --node-sizes 48
bad '--per-node 48: 1000 ranks .* --node-sizes 20x48,40 ' --dims 40x25 --per-node 48
bad '--node-sizes 4x4,0: .0. is no' --dims 4x4 --node-sizes 4x4,0
bad '--node-sizes 4x: .. is not a number' --dims 4x4 --node-sizes 4x
bad '--per-node: .*0' --dims 4x4 --per-node 0
bad '--per-node' --dims 4x4 --per-node 4 --node-sizes 4x4
bad "--periodic 1,2: '2' is neither" --dims 4x4 --per-node 4 --periodic 1,2
bad '--periodic 1: 1 values for 2 dimensions' --dims 4x4 --per-node 4 --periodic 1
bad 'missing.stencil: No such file' --dims 4x4 --per-node 4 --stencil missing.stencil
bad 'uneven.stencil, line 2, column 1: 4 numbers; there are 2 steps' --dims 4x4 --per-node 4 --stencil uneven.stencil
bad "word.stencil, line 2, column 1: 'x' is not a number" --dims 4x4 --per-node 4 --stencil word.stencil
bad 'offset 0 0: leads to the cell itself' --dims 4x4 --per-node 4 --stencil nowhere.stencil
bad '3 weights: there are 2 dimensions, 2 pairs of opposite offsets and 4 offsets' --dims 4x4 --per-node 4 --weights 1,2,3
bad 'weight 0 is not positive' --dims 4x4 --per-node 4 --weights 1,0
bad '--algorithm best: unknown; known are automatic, blocked, gropp' --dims 4x4 --per-node 4 --algorithm best
bad 'algorithm gropp: nodes have different sizes; bisection' --dims 4x4 --node-sizes 15,1 --algorithm gropp
bad 'algorithm exhaustive: there are too many' --dims 4x4 --per-node 4 --algorithm exhaustive
bad '--first: total' --dims 4x4 --per-node 4 --first total
bad '--format: dot' --dims 4x4 --per-node 4 --format dot
bad '--emit: pbs' --dims 4x4 --per-node 4 --emit pbs
bad '--hosts has to name the nodes' --dims 4x4 --per-node 4 --emit slurm
bad '3 names for 4 nodes' --dims 4x4 --per-node 4 --emit slurm --hosts 'n[1-3]'
# The names are read before a plan is made: this one would be refused too.
bad '3 names for 4 nodes' --dims 5x5 --per-node 4 --ranks 16 --emit slurm --hosts 'n[1-3]'
bad 'column 2: .* never closed' --dims 4x4 --per-node 4 --emit slurm --hosts 'n[1-'
bad '--hosts requires --emit' --dims 4x4 --per-node 4 --hosts 'n[1-4]'
bad '--parts 0: 0 is not positive' --dims 4x4 --per-node 4 --parts 0
bad '70000 cells; at most 65536' --dims 70000 --per-node 7 --format svg
bad '/nowhere/file: No such file' --dims 4x4 --per-node 4 --output /nowhere/file
