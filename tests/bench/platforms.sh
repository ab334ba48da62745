#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# platforms.sh BENCH FOLDER: the simulated platforms are what the scripts take them for: as many nodes and cores, whether as
# SimGrid's hosts or as topomp's machine. A dragonfly has no more groups than a group has routers: SimGrid gives router i of
# each group the link to group i, and reads past the last router if there is none.
set -euo pipefail
scripts=$(dirname "$1")
# shellcheck source=SCRIPTDIR/../../scripts/bench.d/sim.sh
source "$scripts/bench.d/sim.sh"
failed=0 checked=0
complain() { # PLATFORM MESSAGE
    echo "$1: $2" >&2
    failed=$((failed + 1))
}
number() { # ATTRIBUTE: the first number in quotes behind it
    grep -oP "\b$1=\"\K[0-9]+" <<<"$text" | head -n 1
}

for file in "$scripts"/../benchmarks/platforms/*.xml; do
    name=$(basename "$file" .xml)
    text=$(sed -z 's/<!--[^>]*-->//g' "$file")
    checked=$((checked + 1))
    if [[ $text =~ topo_parameters=\"([0-9]+),[0-9]+\;[0-9]+,[0-9]+\;([0-9]+),[0-9]+\;[0-9]+\" && $text == *DRAGONFLY* ]]; then
        ((BASH_REMATCH[1] <= BASH_REMATCH[2])) ||
            complain "$name" "${BASH_REMATCH[1]} groups, and ${BASH_REMATCH[2]} routers in each"
    fi
    [[ -n ${hosts[$name]-} ]] || continue
    ranks=1
    for each in ${machines[$name]//_/ }; do ranks=$((ranks * ${each#*:})); done
    ((ranks == hosts[$name] * slots[$name])) || complain "$name" "a machine of $ranks cores, ${hosts[$name]} x ${slots[$name]} ranks"
    [[ $text == *'<cluster'* ]] || continue
    last=$(grep -oP 'radical="0-\K[0-9]+' <<<"$text")
    ((last + 1 == hosts[$name])) || complain "$name" "$((last + 1)) hosts, not ${hosts[$name]}"
    (($(number core) == slots[$name])) || complain "$name" "$(number core) cores a host, not ${slots[$name]}"
done
echo "$checked platforms, $failed complaints"
((checked >= ${#hosts[@]} && failed == 0))
