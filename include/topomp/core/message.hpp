// SPDX-License-Identifier: BSL-1.0
/// @file
/// What a collective moves, with the type erased: where, how many, of which MPI datatype.
#pragma once

#include <topomp/core/mpi.hpp>
#include <topomp/core/type_order.hpp>

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
/// 0 when MPI has ended, which must not be asked then: the verb goes on to refuse the call by its name.
inline std::size_t size_of(MPI_Datatype type) {
    int bytes = 0;
    if (mpi::end_was_seen.load(std::memory_order_relaxed)) [[unlikely]]
        return 0;
    mpi::check(MPI_Type_size(type, &bytes), "MPI_Type_size", "datatype");
    return static_cast<std::size_t>(bytes);
}

/// Bytes of data in a message.
inline std::size_t bytes_of(const message& what) { return what.count * size_of(what.type); }

/// A datatype that is known to be committed and never to be freed: the last of MPI's own or of C++ types'.
inline MPI_Datatype& last_lasting_type() {
    thread_local MPI_Datatype last = MPI_DATATYPE_NULL;
    return last;
}

/// How a datatype lies in memory, asked from MPI once per operation.
struct type_layout {
    MPI_Aint extent = 1;      ///< bytes from one element to the next
    MPI_Aint true_lower = 0;  ///< first byte of data, from the element's address
    MPI_Aint true_extent = 1; ///< bytes from first to last byte of data
    std::size_t size = 1;     ///< bytes of data in an element
    /// Whether elements lie one behind the other without gaps, in the order in which MPI sends them: then
    /// they may be copied and sent as bytes.
    bool is_dense = true;

    /// Of bytes.
    type_layout() = default;
    /// Types that nobody frees, MPI's own and those of C++ types, are not asked for again and again: the
    /// questions take as long as a message inside a node. @cost none for the type that was the last of these;
    /// else a few calls of MPI
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
        const bool has_gaps =
            static_cast<MPI_Aint>(size) != extent || true_extent != extent || true_lower != 0;
        is_dense = !has_gaps && (combiner == MPI_COMBINER_NAMED || type_order::ascends(type, size));
        if (combiner != MPI_COMBINER_NAMED && type != last_lasting_type()) return;
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
