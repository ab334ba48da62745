// SPDX-License-Identifier: BSL-1.0
/// @file
/// What a collective moves, with the type erased: where, how many, of which MPI datatype.
#pragma once

#include <boost/mpi/config.hpp>

#include <cstddef>

namespace topo {

/// Elements of one MPI datatype in memory. A view; it owns nothing.
struct message {
    void* data = nullptr;         ///< the first element
    std::size_t count = 0;        ///< elements; may pass 2^31
    MPI_Datatype type = MPI_BYTE; ///< of each element
};

namespace detail {

/// The last datatype used that is committed and never freed: MPI's own or one of a C++ type.
MPI_Datatype& last_lasting_type();

/// The memory layout of a datatype, obtained from MPI once per operation.
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
    /// The last type that is never freed (MPI's own and those of C++ types) is cached: the calls of MPI take
    /// as long as a message inside a node. @cost none for the cached type; else a few calls of MPI
    explicit type_layout(MPI_Datatype type);

    /// Bytes that hold `count` elements, gaps included.
    std::size_t span(std::size_t count) const;
    /// The address of element `index` of an array at `base`.
    void* element(void* base, std::size_t index) const {
        return static_cast<std::byte*>(base) + static_cast<MPI_Aint>(index) * extent;
    }
    const void* element(const void* base, std::size_t index) const {
        return static_cast<const std::byte*>(base) + static_cast<MPI_Aint>(index) * extent;
    }

private:
    struct known;
    static constinit thread_local known last_known;
    void ask(MPI_Datatype type);

    friend std::size_t size_of(MPI_Datatype);
    friend bool is_known(MPI_Datatype);
};

struct type_layout::known {
    MPI_Datatype type{}; ///< zero, which is no MPI's handle of a type
    type_layout layout;
};
inline constinit thread_local type_layout::known type_layout::last_known;

inline type_layout::type_layout(MPI_Datatype type) {
    if (last_known.type == type) [[likely]]
        *this = last_known.layout;
    else
        ask(type);
}

/// Whether it is the type of the cached layout: one that is committed and never freed. @cost a load
inline bool is_known(MPI_Datatype type) { return type_layout::last_known.type == type; }

std::size_t ask_size(MPI_Datatype type);

/// Bytes of data in an element. 0 when MPI has ended, because it must not be called then: the verb then
/// throws an exception with its own name. @cost none for the type of the last `type_layout`; else a call of
/// MPI
inline std::size_t size_of(MPI_Datatype type) {
    return is_known(type) ? type_layout::last_known.layout.size : ask_size(type);
}

/// Bytes of data in a message.
inline std::size_t bytes_of(const message& what) { return what.count * size_of(what.type); }

/// The address of one element; of the first without asking MPI.
void* element_at(void* base, std::size_t index, MPI_Datatype type);
const void* element_at(const void* base, std::size_t index, MPI_Datatype type);

} // namespace detail
} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/core/impl/message.ipp>
#endif
