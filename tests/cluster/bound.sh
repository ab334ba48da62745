#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# bound.sh CLUSTER [OPTIONS]: with --bind all ranks of a host have one core, and the hosts have the cores here in turn; without it
# they have all.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

cores_of_ranks() { # CLUSTER [OPTIONS]: host and cores of each rank
    # shellcheck disable=SC2016 # the ranks expand it
    "$@" --hosts 3 --ranks-per-host 2 --timeout 60 \
        sh -c 'echo "$(hostname) $(grep Cpus_allowed_list /proc/self/status | cut -f 2)"' | sort
}

code=0
cores_of_ranks "$@" --bind >"$work/out" || code=$?
if grep -q '^skipped' "$work/out"; then
    cat "$work/out"
    exit 77
fi
((code == 0))

own=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)
mapfile -t cores < <(tr , '\n' <<<"$own" | while IFS=- read -r first last; do seq "$first" "${last:-$first}"; done)
for host in 0 1 2; do
    for _ in 1 2; do echo "node$host ${cores[host % ${#cores[@]}]}"; done
done >"$work/expected"
diff "$work/expected" "$work/out"

cores_of_ranks "$@" >"$work/out"
for host in 0 1 2; do
    for _ in 1 2; do echo "node$host $own"; done
done | diff - "$work/out"
echo 'bound: as asked'
