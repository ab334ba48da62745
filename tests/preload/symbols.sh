#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# symbols.sh LIBRARY: what the preload library lends to programs is MPI's names and nothing else, and it calls MPI by the
# profiling names only.
set -euo pipefail
library=$1

fail() { echo "symbols: $1"; exit 1; }

defined=$(nm -D --defined-only "$library" | awk '{ print $3 }')
others=$(grep -vE '^(MPIX?_[A-Z][A-Za-z_]*|mpi_[a-z0-9_]+)$' <<<"$defined" || true)
[ -z "$others" ] || fail "it exports $others"
for name in Barrier Bcast Reduce Allreduce Gather Gatherv Scatter Scatterv Allgather Allgatherv Alltoall Alltoallv \
    Reduce_scatter Reduce_scatter_block Scan Exscan Ibarrier Ibcast Ireduce Iallreduce Iallgather Ialltoall Init Init_thread Finalize Comm_free Comm_disconnect Cart_create Cart_map \
    Alltoallw Igather Neighbor_allgather Neighbor_allgatherv Neighbor_alltoall Neighbor_alltoallv Neighbor_alltoallw \
    Ineighbor_allgather Dims_create Dist_graph_create Dist_graph_create_adjacent; do
    grep -qx "MPI_$name" <<<"$defined" || fail "it does not export MPI_$name"
done

called=$(nm -D --undefined-only "$library" | awk '{ print $2 }')
own=$(grep -E '^MPIX?_[A-Z]+_?[a-z]' <<<"$called" || true)
[ -z "$own" ] || fail "it calls $own, which may be itself"
grep -qx PMPI_Allreduce <<<"$called" || fail "it does not call PMPI_Allreduce: was it renamed?"

libraries=$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
! grep -q boost <<<"$libraries" || fail "it needs another library's Boost: $libraries"
echo "symbols: $(wc -l <<<"$defined") exported"
