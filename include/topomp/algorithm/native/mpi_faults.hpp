// SPDX-License-Identifier: BSL-1.0
/// @file
/// Defects of MPI implementations for which topomp has workarounds. tests/mpi_faults reproduces each without
/// topomp, and reports an MPI that no longer has it.
#pragma once

#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>

namespace topo::detail {

/// Whether elements can be received where they lie, although they may have been sent as bytes. MPICH (4.0)
/// calls some messages truncated that are longer than 8 KiB, were sent as bytes, and are received as structs
/// of members of several sizes. Dense ones can be: by `received_in`.
bool receives_from_bytes([[maybe_unused]] const type_layout& layout, [[maybe_unused]] std::size_t bytes);

/// The message as which elements are received that may have been sent as bytes: bytes too, if they are dense,
/// where the MPI does not receive all structs from bytes.
/// @pre `receives_from_bytes`
message received_in(const message& what, [[maybe_unused]] const type_layout& layout);

/// Whether MPI_Allreduce and MPI_Ireduce work with a type. Open MPI (4.1) writes beside its own memory where
/// data does not begin at an element's address; MPI_Iallreduce is not used either. MPI_Reduce works.
bool reduces_at_offset([[maybe_unused]] MPI_Datatype type);

/// Whether MPI_Reduce_scatter and MPI_Reduce_scatter_block work with a type and an operation. MPICH (4.0)
/// writes beside its own memory where elements end with a gap, the operation does not commute, and blocks are
/// alike.
bool reduces_and_scatters([[maybe_unused]] const type_layout& layout, [[maybe_unused]] bool is_commutative);

/// Where a scan puts the result from element `first` on. Rank 0 of an exclusive scan need not give memory,
/// but MPICH (4.0) refuses a null address there.
inline void* scan_result(const type_layout& layout, const message& result, std::size_t first) {
    static char not_used = 0;
    return result.data == nullptr && layout.true_lower == 0 ? &not_used : layout.element(result.data, first);
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/native/impl/mpi_faults.ipp>
#endif
