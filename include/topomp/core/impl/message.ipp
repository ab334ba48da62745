// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/detail/type_order.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE std::size_t ask_size(MPI_Datatype type) {
    if (mpi::end_was_seen.load_relaxed()) [[unlikely]]
        return 0;
#ifdef SMPI_H
    int bytes = 0;
    mpi::check(MPI_Type_size(type, &bytes), "MPI_Type_size", "datatype");
#else
    MPI_Count bytes = 0; // an element may have 2 GiB
    mpi::check(MPI_Type_size_x(type, &bytes), "MPI_Type_size_x", "datatype");
#endif
    return static_cast<std::size_t>(bytes);
}

TOPOMP_INLINE MPI_Datatype& last_lasting_type() {
    thread_local MPI_Datatype last = MPI_DATATYPE_NULL;
    return last;
}

TOPOMP_INLINE void type_layout::ask(MPI_Datatype type) {
    MPI_Aint lower = 0;
    mpi::check(MPI_Type_get_extent(type, &lower, &extent), "MPI_Type_get_extent", "datatype");
    mpi::check(MPI_Type_get_true_extent(type, &true_lower, &true_extent), "MPI_Type_get_true_extent",
               "datatype");
    size = size_of(type);
    int integers = 0, addresses = 0, types = 0, combiner = 0;
    mpi::check(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner), "MPI_Type_get_envelope",
               "datatype");
    const bool has_gaps = static_cast<MPI_Aint>(size) != extent || true_extent != extent || true_lower != 0;
    is_dense = !has_gaps && (combiner == MPI_COMBINER_NAMED || type_order::ascends(type, size));
    if (combiner != MPI_COMBINER_NAMED && type != last_lasting_type()) return;
    last_known = {type, *this};
}

TOPOMP_INLINE std::size_t type_layout::span(std::size_t count) const {
    if (count == 0) return 0;
    return static_cast<std::size_t>(true_extent) +
           (count - 1) * static_cast<std::size_t>(std::max<MPI_Aint>(extent, -extent));
}

TOPOMP_INLINE void* element_at(void* base, std::size_t index, MPI_Datatype type) {
    return index == 0 ? base : type_layout{type}.element(base, index);
}

TOPOMP_INLINE const void* element_at(const void* base, std::size_t index, MPI_Datatype type) {
    return index == 0 ? base : type_layout{type}.element(base, index);
}

} // namespace topo::detail
