#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# The samples have the same bits for any number of ranks, machine and program, and predict as well as the noise allows.
. "$(dirname "${BASH_SOURCE[0]}")/../../solver_support/tests/support.sh"

# The reference is one rank of the ordinary program.
small=(--rows 301 --columns 37 --density 0.5 --latent 5 --iterations 6 --burn-in 3)
on 1 "$by_mpi" "${small[@]}" --samples one
says '.rows == 301 and .columns == 37 and .iterations == 6 and .variant == "mpi"' "one rank"
rmse=$(jq .rmse <out)
[ "$(wc -l <one.rows)" -eq $((301 * 5 + 2)) ] || fail "one.rows has not 301 x 5 numbers"
[ "$(sort -u one.rows | wc -l)" -gt $((301 * 5 - 5)) ] || fail "numbers in one.rows are the same"
same_chain() { # WHAT RANKS PROGRAM ARGUMENTS...
    on "${@:2}" "${small[@]}" --samples other
    says ".rmse == $rmse and .ranks == $2" "$1, $2 ranks"
    cmp one.rows other.rows && cmp one.columns other.columns || fail "$1, $2 ranks: other samples than one rank has"
    rm other.rows other.columns
}
same_chain "even nodes" 1 "$by_hybrid" "${even[@]}"
for ranks in 4 6 8 9; do
    same_chain "ordinary MPI" "$ranks" "$by_mpi"
    same_chain "even nodes" "$ranks" "$by_hybrid" "${even[@]}"
    same_chain "uneven nodes" "$ranks" "$by_hybrid" "${uneven[@]}"
    same_chain "interleaved ranks" "$ranks" "$by_hybrid" "${interleaved[@]}"
done
on 4 "$by_mpi" "${small[@]}" --samples other --seed 2
says ".rmse != $rmse" "another seed"

# No prediction is better than the noise that was put in. The 4 numbers of a row that are learnt from 90 known ratings cost
# 4 / 90 of its square: about 2 %. With 20,000 held-out entries the error is known to 0.5 %.
well_known=(--rows 2000 --columns 100 --density 1 --iterations 24 --burn-in 8)
for noise in 0.2 0.4; do
    on 6 "$by_hybrid" "${interleaved[@]}" "${well_known[@]}" --noise "$noise"
    says ".rmse > 1.003 * $noise and .rmse < 1.05 * $noise and .rmse_of_first_sample > 1.2 * .rmse" "noise $noise"
done

# The message sizes of the paper.
on 8 "$by_hybrid" "${even[@]}" --iterations 1 --burn-in 0
says '.bytes_of_a_rank.rows == [80000, 880, 8]' "the size of messages"

# A file: a matrix of rank 1 without noise, a third of whose entries are missing, is predicted exactly.
awk 'BEGIN { print "%%MatrixMarket matrix coordinate real general"; print "% a comment"; print 60, 40, 1600
             for (i = 1; i <= 60; ++i) for (j = 1; j <= 40; ++j) if ((i + j) % 3) print i, j, (i - 20) * (j - 12) / 100 }' >rank_one.mtx
on 6 "$by_hybrid" "${uneven[@]}" --matrix rank_one.mtx --alpha 1e5 --latent 3 --iterations 60 --burn-in 30
says '.rmse < 0.02 and .rmse_of_first_sample > 1 and .learnt_entries + .held_out_entries == 1600' "a file"
rmse=$(jq .rmse <out)
on 1 "$by_mpi" --matrix rank_one.mtx --alpha 1e5 --latent 3 --iterations 60 --burn-in 30
says ".rmse == $rmse" "a file on one rank"
