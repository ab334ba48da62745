#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# conformance.sh SCRIPT: scripts/conformance refuses wrong usage in one line with exit code 2, before anything is fetched.
set -euo pipefail
script=$1

refused() { # EXPECTED ARGUMENT...: part of the message
    local expected=$1 code=0 output
    shift
    output=$("$script" "$@" 2>&1) || code=$?
    if ((code != 2)) || [[ $output != *"$expected"* || $output == *$'\n'* ]]; then
        echo "conformance $*: exit code $code: $output"
        exit 1
    fi
}

refused '--mpi needs a value' --mpi
refused "--mpi wants openmpi or mpich, not 'lam'" --mpi lam
refused '--policy needs a value' --policy
refused 'unknown option: --fast; known are --mpi' --fast
refused "no such folder: 'moon'; known are coll topo" coll moon
refused "no such folder: 'gromacs'; known are coll topo" apps gromacs
refused 'hpcc netpipe apps lammps espresso cp2k nwchem mumps mpi4py' lammps moon
refused '--policy needs a value' apps --policy
echo 'all refused'
