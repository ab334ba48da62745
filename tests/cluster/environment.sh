#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# environment.sh CLUSTER [OPTIONS]: what --env and --host-env set reaches the ranks, whatever was set outside.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

cat >"$work/host_env" <<'HOSTS'
# As Slurm would set it on each host.
node0 SLURM_TOPOLOGY_ADDR=root.left.node0
node2 SLURM_TOPOLOGY_ADDR=root.right.node2
node2 COLOUR=red
HOSTS

export SLURM_TOPOLOGY_ADDR=outside COLOUR=outside
code=0
# shellcheck disable=SC2016 # the ranks expand it
"$@" --hosts 3 --ranks-per-host 1 --env 'COLOUR=dark $blue' --host-env "$work/host_env" --timeout 60 \
    sh -c 'echo "$(hostname): ${SLURM_TOPOLOGY_ADDR-none}, $COLOUR"' >"$work/out" || code=$?
if ((code == 77)); then
    cat "$work/out"
    exit 77
fi

cat >"$work/expected" <<'EXPECTED'
node0: root.left.node0, dark $blue
node1: none, dark $blue
node2: root.right.node2, red
EXPECTED
sort "$work/out" | diff "$work/expected" -
((code == 0))
echo 'environment: as asked'
