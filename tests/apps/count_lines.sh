#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# count_lines.sh ROOT: scripts/count-lines counts files written here as by hand, and the table in docs/programs.md is what it
# prints of the programs.
set -euo pipefail
root=$1
count=$root/scripts/count-lines
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $1"; exit 1; }

mkdir "$work/counted"
cat >"$work/counted/shared.hpp" <<'HPP'
// What looks like a comment and is none, and the other way round: 11 lines.
#pragma once /* 1 */

#include "deeper.hpp" // 2
#include "shared.hpp"

/* a comment
   #include "missing.hpp"
   of three lines */ int after; // 4

// a comment that goes \
   on
const char* text = "// no comment"; // 5
const char* other = "\"/*"; // 6
const char quote = '"', slash = '\''; // 7
const int number = 1'000'000, more = 0x1'f; /* 8 */ // '
const char* raw = R"x(
// text, and so code: 10; the blank line below is none

)" )x"; // 11
HPP
printf 'int deeper;\n \n' >"$work/counted/deeper.hpp"
printf '#include "shared.hpp"\n#include <vector> // not counted\nint main() {} // "\n' >"$work/counted/mpi.cpp"
printf '#include "shared.hpp"\n#include "deeper.hpp"\n/**/ /* */\nint main() {\n}\n' >"$work/counted/topology.cpp"
"$count" "$work/counted" >"$work/table"
diff -u - "$work/table" <<'TABLE' || fail 'counted otherwise'
| program | variant | its file | beside plain MPI | the program | beside plain MPI |
| --- | --- | ---: | ---: | ---: | ---: |
| counted | mpi | 3 |  | 15 |  |
| counted | topology | 4 | +1 | 16 | +1 (+6.7 %) |
TABLE

# A page with this table, and one with another.
{ echo '# Page'; echo; cat "$work/table"; echo; echo 'Text'; } >"$work/page.md"
"$count" --check "$work/page.md" "$work/counted" || fail 'the right table is wrong'
sed 's/| 16 |/| 17 |/' "$work/page.md" >"$work/wrong.md"
status=0
"$count" --check "$work/wrong.md" "$work/counted" >"$work/out" || status=$?
[ "$status" -eq 1 ] && grep -q 'is not what scripts/count-lines prints' "$work/out" || fail 'a wrong table is right'
for wrong in "$work" "--check $work/no.md" --frobnicate; do
    status=0
    # shellcheck disable=SC2086 # words
    "$count" $wrong >"$work/out" 2>&1 || status=$?
    [ "$status" -eq 2 ] || fail "status $status: $wrong"
done

"$count" --check "$root/docs/programs.md" || fail 'docs/programs.md'
echo 'as counted by hand'
