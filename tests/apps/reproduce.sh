#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# reproduce.sh REPRODUCE BUILD: scripts/reproduce at its smallest sizes, with the programs in a build folder of the preset smpi: every
# figure that is simulated has rows, a picture and a line of the page, and a second call runs nothing again.
set -euo pipefail

readonly reproduce=$1 build=$2
if ! /usr/bin/python3 -c 'import matplotlib' 2>/dev/null; then
    echo 'skipped: no matplotlib'
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
ln -s "$build" "$work/smpi"
# One of each kind of program; what other figures add is another machine or verb.
readonly figures=(paper1.table1 paper1.7 paper1.10 paper1.13 paper2.table2 paper2.15 paper2.17 paper2.18 paper2.19 paper3.table2
    paper3.4 paper3.table4 paper3.table5 paper4.levels)
export TOPOMP_BUILD_ROOT=$work
"$reproduce" --no-build --smallest --results "$work/results" --output "$work/page" "${figures[@]}"
for figure in "${figures[@]}"; do
    [[ -s $work/page/$figure.csv ]] || { echo "FAILED: no rows of $figure" >&2; exit 1; }
    grep -q "^| \[$figure\]" "$work/page.md" || { echo "FAILED: no line of $figure" >&2; exit 1; }
done
[[ -s $work/page/paper2.17.svg && -s $work/results/pictures/smallest/paper2.17.png ]] || { echo 'FAILED: no picture' >&2; exit 1; }
code=0
again=$("$reproduce" --no-build --smallest --results "$work/results" --output "$work/page" "${figures[@]}" 2>&1) || code=$?
((code == 0)) && [[ $again != *'runs to do'* ]] || { echo "FAILED: run again, code $code: $again" >&2; exit 1; }
echo "${#figures[@]} figures"
