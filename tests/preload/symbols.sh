#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# symbols.sh LIBRARY: what the preload library lends to programs is MPI's names and nothing else, and it calls MPI by the
# profiling names only.
set -euo pipefail
library=$1

fail() { echo "symbols: $1"; exit 1; }

defined=$(nm -D --defined-only "$library" | awk '{ print $3 }')
others=$(grep -vE '^(MPIX?_[A-Z][A-Za-z_]*|mpix?_[a-z0-9_]+)$' <<<"$defined" || true)
[ -z "$others" ] || fail "it exports $others"
for name in Barrier Bcast Reduce Allreduce Gather Gatherv Scatter Scatterv Allgather Allgatherv Alltoall Alltoallv \
    Reduce_scatter Reduce_scatter_block Scan Exscan Ibarrier Ibcast Ireduce Iallreduce Iallgather Ialltoall Igather Iscatter Igatherv Iscatterv Iallgatherv \
    Ialltoallv Ireduce_scatter Ireduce_scatter_block Iscan Iexscan Init Init_thread Finalize Comm_free Comm_disconnect Cart_create Cart_map \
    Alltoallw Neighbor_allgather Neighbor_allgatherv Neighbor_alltoall Neighbor_alltoallv \
    Neighbor_alltoallw Ineighbor_allgather Ineighbor_allgatherv Ineighbor_alltoall Ineighbor_alltoallv Ineighbor_alltoallw Dims_create Dist_graph_create Dist_graph_create_adjacent; do
    grep -qx "MPI_$name" <<<"$defined" || fail "it does not export MPI_$name"
done

for name in Start Startall Request_free; do
    grep -qx "MPI_$name" <<<"$defined" || fail "it does not export MPI_$name"
done
for name in Barrier Bcast Reduce Allreduce Gather Gatherv Scatter Scatterv Allgather Allgatherv Alltoall Alltoallv Reduce_scatter \
    Reduce_scatter_block Scan Exscan Neighbor_allgather Neighbor_allgatherv Neighbor_alltoall Neighbor_alltoallv Neighbor_alltoallw; do
    grep -qxE "MPIX?_${name}_init" <<<"$defined" || fail "it does not export MPI_${name}_init"
done

if grep -qx MPI_Alltoallw_c <<<"$defined"; then # an MPI with large counts
    for name in Bcast Reduce Allreduce Gather Gatherv Scatter Scatterv Allgather Allgatherv Alltoall Alltoallv Alltoallw Reduce_scatter \
        Reduce_scatter_block Scan Exscan Neighbor_allgather Ineighbor_alltoallv Neighbor_allgatherv_init Ibcast Igather Ialltoallv Iexscan Bcast_init Alltoallv_init Exscan_init; do
        grep -qx "MPI_${name}_c" <<<"$defined" || fail "it does not export MPI_${name}_c"
    done
fi

called=$(nm -D --undefined-only "$library" | awk '{ print $2 }')
own=$(grep -E '^MPIX?_[A-Z]+_?[a-z]' <<<"$called" || true)
[ -z "$own" ] || fail "it calls $own, which may be itself"
grep -qx PMPI_Allreduce <<<"$called" || fail "it does not call PMPI_Allreduce: was it renamed?"

libraries=$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
! grep -q boost <<<"$libraries" || fail "it needs another library's Boost: $libraries"
echo "symbols: $(wc -l <<<"$defined") exported"
