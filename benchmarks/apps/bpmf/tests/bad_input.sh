#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Wrong sizes and malformed files are refused in one line. tests/matrix_market.cpp beside the reader has more of them.
. "$(dirname "${BASH_SOURCE[0]}")/../../solver_support/tests/support.sh"

refused '--rows' alone "$by_mpi" --rows 0
refused 'no sample is left of 5 iterations' 3 "$by_hybrid" --iterations 5 --burn-in 5
refused "unknown kind 'foo'" alone "$by_hybrid" --machine node:2_foo:3
refused 'missing.mtx: cannot be read' alone "$by_hybrid" --matrix missing.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 4\n3 1 5\n' >outside.mtx
refused 'outside.mtx, line 4: row 3 is not from 1 to 2' 3 "$by_mpi" --matrix outside.mtx
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 4\n2 1 4\n' >same.mtx
refused 'same.mtx: its entries are all the same' alone "$by_hybrid" --matrix same.mtx --held-out 0
printf '%%%%MatrixMarket matrix coordinate real general\n1000000000 2 2\n1 1 4\n2 1 5\n' >long.mtx
refused "long.mtx: a rank's vectors are longer than an int counts" alone "$by_mpi" --matrix long.mtx --held-out 0
if [[ ${launch[0]} != *smpirun ]]; then # which answers --help itself
    on alone "$by_hybrid" --help
    [ "$status" -eq 0 ] && grep -q -- '--burn-in' out || fail "no help"
fi
