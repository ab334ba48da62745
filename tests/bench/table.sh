#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# table.sh BENCH FOLDER: the table of results written by hand. Worked out by hand too: medians over repetitions, the best
# of the others that ran, geometric means (2 and 0.5 are 1; 2, 0.5 and 1 are 1), minima, what is not available.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
failures=0

same() { # WHAT EXPECTED GOT
    if ! diff -u --label expected --label "$1" <(echo "$2") <(echo "$3"); then failures=$((failures + 1)); fi
}

cp "$2/old/samples.jsonl" "$work"
same sim "one: the best other's time over ours, by bytes
verb                   8       32  geomean      min
barrier                -                 -        -
broadcast           2.00     0.50     1.00     0.50
geomean 1.00  min 0.50  points 2  not available 3

two: the best other's time over ours, by bytes
verb                   8       32  geomean      min
broadcast           1.00              1.00     1.00
gather                 -                 -        -
geomean 1.00  min 1.00  points 1  not available 0

all platforms
verb             geomean      min   points
barrier                -        -        0
broadcast           1.00     0.50        3
gather                 -        -        0
topomp stopped at: two gather 8
geomean 1.00  min 0.50  points 3  not available 3" "$("$1" show "$work")"
same table.txt "$("$1" show "$work")" "$(cat "$work/table.txt")"
same summary '[200,50,100]' "$(jq -c 'map(.ratio | select(. != null) | . * 100 | round)' "$work/summary.json")"

# On a cluster ours on Open MPI counts against the better of Open MPI's default and HAN, whatever MPICH does.
cat >"$work/samples.jsonl" <<'SAMPLES'
{"verb":"reduce","by":"topomp","bytes":8,"where":"cluster","platform":"shaped","selector":"openmpi","seconds":2e-6}
{"verb":"reduce","by":"topomp","bytes":8,"where":"cluster","platform":"shaped","selector":"han","seconds":1e-6}
{"verb":"reduce","by":"mpi","bytes":8,"where":"cluster","platform":"shaped","selector":"openmpi","seconds":6e-6}
{"verb":"reduce","by":"mpi","bytes":8,"where":"cluster","platform":"shaped","selector":"han","seconds":3e-6}
{"verb":"reduce","by":"mpi","bytes":8,"where":"cluster","platform":"shaped","selector":"mpich","seconds":1e-6}
SAMPLES
same cluster 'geomean 1.50  min 1.50  points 1  not available 0' "$("$1" show "$work" | tail -n 1)"

# On one machine ours on the better MPI counts against that MPI.
cat >"$work/samples.jsonl" <<'SAMPLES'
{"verb":"reduce","by":"topomp","bytes":8,"where":"local","platform":"cores","selector":"openmpi","seconds":1e-6}
{"verb":"reduce","by":"topomp","bytes":8,"where":"local","platform":"cores","selector":"mpich","seconds":4e-6}
{"verb":"reduce","by":"mpi","bytes":8,"where":"local","platform":"cores","selector":"openmpi","seconds":9e-6}
{"verb":"reduce","by":"mpi","bytes":8,"where":"local","platform":"cores","selector":"mpich","seconds":3e-6}
SAMPLES
same local 'geomean 0.75  min 0.75  points 1  not available 0' "$("$1" show "$work" | tail -n 1)"

((failures == 0)) || exit 1
echo 'all tables are as worked out'
