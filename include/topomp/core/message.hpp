// SPDX-License-Identifier: BSL-1.0
/// @file
/// What a collective moves, with the type erased: where, how many, of which MPI datatype.
#pragma once

#include <topomp/core/mpi.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>

namespace topo {

/// Elements of one MPI datatype in memory. A view; it owns nothing.
struct message {
    void* data = nullptr;
    std::size_t count = 0; ///< elements; may pass 2^31
    MPI_Datatype type = MPI_BYTE;
};

namespace detail {

/// Bytes of data in an element: one call, where a whole `type_layout` takes three.
inline std::size_t size_of(MPI_Datatype type) {
    int bytes = 0;
    mpi::check(MPI_Type_size(type, &bytes), "MPI_Type_size", "datatype");
    return static_cast<std::size_t>(bytes);
}

/// Bytes of data in a message.
inline std::size_t bytes_of(const message& what) { return what.count * size_of(what.type); }

/// How a datatype lies in memory, asked from MPI once per operation.
struct type_layout {
    MPI_Aint extent = 1;      ///< bytes from one element to the next
    MPI_Aint true_lower = 0;  ///< first byte of data, from the element's address
    MPI_Aint true_extent = 1; ///< bytes from first to last byte of data
    std::size_t size = 1;     ///< bytes of data in an element

    /// Of bytes.
    type_layout() = default;
    /// MPI's own types, which nobody frees, are not asked for again and again: the questions take as long as
    /// a message inside a node. @cost none for the type that was the last of these; else a few calls of MPI
    explicit type_layout(MPI_Datatype type) {
        thread_local bool has_last = false;
        thread_local MPI_Datatype last_type = MPI_DATATYPE_NULL;
        thread_local type_layout last;
        if (has_last && type == last_type) {
            *this = last;
            return;
        }
        MPI_Aint lower = 0;
        mpi::check(MPI_Type_get_extent(type, &lower, &extent), "MPI_Type_get_extent", "datatype");
        mpi::check(MPI_Type_get_true_extent(type, &true_lower, &true_extent), "MPI_Type_get_true_extent",
                   "datatype");
        size = size_of(type);
        int integers = 0, addresses = 0, types = 0, combiner = 0;
        mpi::check(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner),
                   "MPI_Type_get_envelope", "datatype");
        if (combiner != MPI_COMBINER_NAMED) return;
        last = *this;
        last_type = type;
        has_last = true;
    }

    /// Bytes that hold `count` elements, gaps included.
    std::size_t span(std::size_t count) const {
        if (count == 0) return 0;
        return static_cast<std::size_t>(true_extent) +
               (count - 1) * static_cast<std::size_t>(std::max<MPI_Aint>(extent, -extent));
    }
    /// The address of element `index` of an array at `base`.
    void* element(void* base, std::size_t index) const {
        return static_cast<std::byte*>(base) + static_cast<MPI_Aint>(index) * extent;
    }
    const void* element(const void* base, std::size_t index) const {
        return static_cast<const std::byte*>(base) + static_cast<MPI_Aint>(index) * extent;
    }
};

/// The address of one element; of the first without asking MPI.
inline void* element_at(void* base, std::size_t index, MPI_Datatype type) {
    return index == 0 ? base : type_layout{type}.element(base, index);
}
inline const void* element_at(const void* base, std::size_t index, MPI_Datatype type) {
    return index == 0 ? base : type_layout{type}.element(base, index);
}

} // namespace detail
} // namespace topo
