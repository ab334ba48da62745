#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Without MPI: the forms other than JSON.
. "$(dirname "${BASH_SOURCE[0]}")/support.sh"

small=(--machine "node:2 package:2 core:2" --ranks 7)
shows text small.txt "${small[@]}"
shows dot small.dot "${small[@]}"
shows text small_only.txt "${small[@]}" --only Machine --only Core
shows text small_only.txt "${small[@]}" --skip Package,PU
shows text small_depth.txt "${small[@]}" --max-depth 1

# Trees: the levels meet in their members, the root takes its group's place.
shows text tree_from_5.txt --machine "node:2 package:2 core:2" --tree 'per_level<on<cluster, binomial>, otherwise<binary>>' --root 5
shows text tree_in_turn.txt --machine "switch:2 node:2 core:3" --ranks 11 --place round-robin \
    --tree 'per_level<on<network_switch, linear>, on<machine, chain>, otherwise<k_nomial<4>>>'

run "$topomp" show "${small[@]}"
same_as small.txt "text without being asked for"

# Names that a format has to escape.
awkward=(--machine "node:3 core:1" --network quoted.switches)
shows dot awkward.dot "${awkward[@]}"
shows text awkward.txt "${awkward[@]}"

# A line is one element; nothing else may stand in the file.
check_svg() {
    [ "$status" -eq 0 ] || fail "svg of $*"
    local text='([^<>&"]|&amp;|&lt;|&gt;|&quot;)*' attributes='( [a-z-]+="[^<>&"]*")*'
    local rect="<rect$attributes/>" words="<text$attributes>$text</text>"
    head -n 1 "$work/out" | grep -qxE "<svg xmlns=\"http://www.w3.org/2000/svg\"( [a-zA-Z-]+=\"[^<>&\"]*\")*>" ||
        fail "the first line of the svg of $*"
    [ "$(tail -n 1 "$work/out")" = "</svg>" ] || fail "the last line of the svg of $*"
    ! sed '1d;$d' "$work/out" | grep -vxE "($rect)?($words)?" || fail "a line of the svg of $*"
    if command -v xmllint >/dev/null; then xmllint --noout "$work/out" || fail "xmllint on the svg of $*"; fi
    checked=$((checked + 1))
}
for machine in "${small[1]}" "core:1" "switch:2 switch:2 node:2 package:2 die:2 numa:1 l3:1 core:2"; do
    run "$topomp" show --format svg --machine "$machine"
    check_svg "$machine"
    cells=$(grep -c 'text-anchor="middle"' "$work/out")
    ranks=$("$topomp" show --format json --machine "$machine" | sed 's/{"size":\([0-9]*\).*/\1/')
    [ "$cells" -eq "$ranks" ] || fail "svg of $machine: $cells cells for $ranks ranks"
done
run "$topomp" show --format svg --machine "node:3 core:2" --tree binomial --root 3
messages=$(grep -c '<path d="M[^"]* C' "$work/out")
[ "$messages" -eq 5 ] || fail "svg of a tree over 6 ranks: $messages messages"
run "$topomp" show --format svg "${awkward[@]}"
check_svg "${awkward[@]}"
grep -q 'Switch &lt;a&amp;b&gt;&quot;c\\d&quot;<' "$work/out" || fail "svg: the awkward name"

if command -v dot >/dev/null; then
    for file in "$expected"/*.dot; do
        dot -Tsvg "$file" >/dev/null || fail "dot does not read $file"
        checked=$((checked + 1))
    done
fi
