#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Solutions and numbers of iterations are those of Eigen's serial solver, and solutions those that are known.
. "$(dirname "${BASH_SOURCE[0]}")/../../solver_support/tests/support.sh"

# Rounding errors of sums that are added in another order: far above them, far below the tolerance.
as_eigen='.converged and .iterations == .serial.iterations and .iterations > 1 and .serial.difference < 1e-10
    and .serial.true_residual < 1.01e-6 and .residual < 1e-6 and (.residual - .serial.true_residual | fabs) < 1e-9'
grid=(--check --tolerance 1e-6)
same_as_eigen() { # WHAT RANKS PROGRAM ARGUMENTS...
    on "${@:2}" "${grid[@]}"
    says "$as_eigen and .ranks == $2" "$1, $2 ranks"
}
same_as_eigen "ordinary MPI" 1 "$by_mpi" --grid 12x9
same_as_eigen "one rank" 1 "$by_hybrid" "${even[@]}" --grid 12x9
for ranks in 4 6 8 9; do
    same_as_eigen "ordinary MPI" "$ranks" "$by_mpi" --grid 12x9
    same_as_eigen "even nodes" "$ranks" "$by_hybrid" "${even[@]}" --grid 5x4x6 --rows blocks
    same_as_eigen "uneven nodes, topo::graph" "$ranks" "$by_hybrid" "${uneven[@]}" --grid 12x9 --rows graph
    same_as_eigen "interleaved ranks, topo::graph_plan" "$ranks" "$by_hybrid" "${interleaved[@]}" --grid 12x9 --rows plan
done
# Consecutive blocks on ranks that are dealt out to nodes in turn: the graph brings neighbours together.
on 8 "$by_hybrid" --machine node:2_core:4 --place round-robin --grid 40x40 --tolerance 0.5
says '.elements_between_nodes == 80 and .elements_between_nodes_in_rank_order == 560' "topo::graph"
on 8 "$by_hybrid" --machine node:2_core:4 --place round-robin --grid 10x160 --rows plan --tolerance 0.5
says '.elements_between_nodes <= 24 and .elements_between_nodes_in_rank_order > 200' "topo::graph_plan"

# -u'' = 1 between zeros is a parabola: u_i = i (n + 1 - i) / 2. Fewer rows than ranks can share evenly.
for program in "$by_mpi" "$by_hybrid"; do
    on 4 "$program" --grid 9 --solution u.mtx --tolerance 1e-12
    says '.rows == 9 and .entries == 25' "a parabola"
    tail -n +3 u.mtx | awk '{ wrong += ($1 - NR * (10 - NR) / 2) ^ 2 } END { exit !(NR == 9 && wrong < 1e-20) }' ||
        fail "not a parabola: $(tail -n +3 u.mtx | tr '\n' ' ')"
done

# A file, half of a symmetric matrix, whose solution is 1, 2, 3; more ranks than rows.
printf '%%%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 4\n2 1 1\n2 2 3\n3 2 1\n3 3 2\n' >three.mtx
printf '%%%%MatrixMarket matrix array real general\n3 1\n6\n10\n8\n' >right.mtx
for command in "4 $by_mpi" "6 $by_hybrid ${interleaved[*]}"; do
    # shellcheck disable=SC2086 # its words
    on $command --matrix three.mtx --right-side right.mtx --solution x.mtx --tolerance 1e-14 --check
    says '.converged and .serial.difference < 1e-12' "a file"
    tail -n +3 x.mtx | awk '{ wrong += ($1 - NR) ^ 2 } END { exit !(NR == 3 && wrong < 1e-20) }' || fail "not 1, 2, 3"
done
printf '%%%%MatrixMarket matrix array real general\n3 1\n0\n0\n0\n' >zero.mtx
on 4 "$by_hybrid" "${even[@]}" --matrix three.mtx --right-side zero.mtx --check
says '.converged and .iterations == 0 and .serial.iterations == 0 and .serial.difference == 0' "zeros"

on alone "$by_hybrid" --grid 40x40 --max-iterations 3 --check
[ "$status" -ne 0 ] && grep -q 'not converged after 3 iterations' err || fail "3 iterations are enough"
jq -e '.converged == false and .iterations == 3 and .serial.iterations == 3' <out >/dev/null || fail "3 iterations"
