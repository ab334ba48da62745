#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Wrong sizes, malformed files and matrices that are not positive definite are refused in one line.
. "$(dirname "${BASH_SOURCE[0]}")/../../solver_support/tests/support.sh"

matrix() { # FILE LINE...: a MatrixMarket file
    printf '%s\n' '%%MatrixMarket matrix coordinate real general' "${@:2}" >"$1"
}
refused "'5y' is no number of points" alone "$by_mpi" --grid 10x5y
refused 'more points than an int counts' alone "$by_hybrid" --grid 2000x2000x2000
refused '--rows plan: 2 rows are too few for 3 ranks' 3 "$by_hybrid" --grid 2 --rows plan
refused '--place' alone "$by_hybrid" --place round-robin
matrix cut.mtx '2 2 3' '1 1 4' '2 2 4'
refused 'cut.mtx, line 5: the file ends' alone "$by_hybrid" --matrix cut.mtx
matrix wide.mtx '2 3 2' '1 1 4' '2 2 4'
refused 'wide.mtx: 2 rows and 3 columns' alone "$by_mpi" --matrix wide.mtx
matrix crooked.mtx '2 2 4' '1 1 4' '1 2 1' '2 1 2' '2 2 4'
refused 'crooked.mtx: the matrix is not symmetric: see row 1, column 2' 3 "$by_mpi" --matrix crooked.mtx
matrix half.mtx '2 2 3' '1 1 4' '2 1 1' '2 2 4'
refused 'half.mtx: the matrix is not symmetric' alone "$by_mpi" --matrix half.mtx
matrix negative.mtx '2 2 2' '1 1 4' '2 2 -4'
refused 'negative.mtx: not positive definite: a number on the diagonal' alone "$by_mpi" --matrix negative.mtx
matrix indefinite.mtx '2 2 4' '1 1 1' '1 2 3' '2 1 3' '2 2 1'
printf '%s\n' '%%MatrixMarket matrix array real general' '2 1' 1 -1 >right.mtx
refused 'indefinite.mtx: the matrix is not positive definite' 3 "$by_hybrid" --matrix indefinite.mtx --right-side right.mtx
refused 'right.mtx: 2 numbers for a matrix of 81 rows' alone "$by_hybrid" --grid 9x9 --right-side right.mtx
if [[ ${launch[0]} != *smpirun ]]; then # which answers --help itself
    on alone "$by_mpi" --help
    [ "$status" -eq 0 ] && grep -q -- '--right-side' out || fail "no help"
fi
