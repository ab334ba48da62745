// SPDX-License-Identifier: BSL-1.0
/// @file
/// Elements as a plain run of bytes, for ranks that pass on what they do not look at.
#pragma once

#include <topomp/algorithm/cell.hpp>
#include <topomp/algorithm/mpi_faults.hpp>
#include <topomp/algorithm/segments.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

namespace topo::detail {

/// Copies elements into bytes. All ranks have the same number formats: a packed element is as long as its
/// data.
inline void pack(const message& from, const type_layout& layout, std::byte* to) {
    if (from.count == 0 || layout.size == 0) return;
    if (layout.is_dense) {
        std::memcpy(to, from.data, from.count * layout.size);
        return;
    }
    const segments pieces{from.count, layout.size, 0};
    for (std::size_t s = 0; s < pieces.number; ++s) {
        int position = 0;
        const int bytes = pieces.length(s) * static_cast<int>(layout.size);
        mpi::check(MPI_Pack(layout.element(from.data, pieces.first(s)), pieces.length(s), from.type,
                            to + pieces.first(s) * layout.size, bytes, &position, MPI_COMM_SELF),
                   "MPI_Pack", "elements");
    }
}

inline void pack(const message& from, std::byte* to) { pack(from, type_layout{from.type}, to); }

/// Copies bytes into elements, leaving the gaps of their type alone.
inline void unpack(std::byte* from, const message& to, const type_layout& layout) {
    if (to.count == 0 || layout.size == 0) return;
    if (layout.is_dense) {
        std::memcpy(to.data, from, to.count * layout.size);
        return;
    }
    const segments pieces{to.count, layout.size, 0};
    for (std::size_t s = 0; s < pieces.number; ++s) {
        int position = 0;
        const int bytes = pieces.length(s) * static_cast<int>(layout.size);
        mpi::check(MPI_Unpack(from + pieces.first(s) * layout.size, bytes, &position,
                              layout.element(to.data, pieces.first(s)), pieces.length(s), to.type,
                              MPI_COMM_SELF),
                   "MPI_Unpack", "elements");
    }
}

inline void unpack(std::byte* from, const message& to) { unpack(from, to, type_layout{to.type}); }

/// Whether two messages are one and the same memory.
inline bool is_same(const message& a, const message& b) {
    return a.data == b.data && a.type == b.type && a.count == b.count;
}

/// Copies a block, whatever the two types, as long as they have equal data; nothing if it is there already.
/// @param temporary keeps its memory from call to call
inline void copy_block(const message& from, const message& to, cell& temporary) {
    if (to.count == 0 || is_same(from, to)) return;
    const type_layout source{from.type}, target{to.type};
    if (source.is_dense) return unpack(static_cast<std::byte*>(from.data), to, target);
    if (target.is_dense) return pack(from, source, static_cast<std::byte*>(to.data));
    temporary.reserve(from.count * source.size);
    pack(from, source, temporary.data());
    unpack(temporary.data(), to, target);
}

/// Messages of more bytes than this travel packed, in pieces of so many bytes: both ends then cut alike,
/// whatever their types. Shorter ones travel as they lie.
inline constexpr std::size_t longest_message = std::size_t{1} << 30;

inline bool is_short(const message& what, const type_layout& layout) {
    return what.count <= longest_message && what.count * layout.size <= longest_message;
}

/// Whether a short message that may come packed is received as it lies. Whoever cannot receives a packed
/// one, which is as long.
inline bool arrives_as_it_lies(const message& what, const type_layout& layout) {
    return is_short(what, layout) && receives_from_bytes(layout, what.count * layout.size);
}

inline bool is_short(const message& what) {
    return what.count <= longest_message && bytes_of(what) <= longest_message;
}

/// Calls `f(first byte, number of bytes)` for each piece of a packed message.
template <class F>
void in_packed_pieces(std::byte* data, std::size_t bytes, F f) {
    for (std::size_t first = 0; first < bytes; first += longest_message)
        f(data + first, static_cast<int>(std::min(longest_message, bytes - first)));
}

inline void receive_packed(std::byte* data, std::size_t bytes, int from, int tag, MPI_Comm wire,
                           std::vector<MPI_Request>& slots) {
    in_packed_pieces(data, bytes, [&](std::byte* piece, int length) {
        slots.push_back(MPI_REQUEST_NULL);
        mpi::check(MPI_Irecv(piece, length, MPI_PACKED, from, tag, wire, &slots.back()), "MPI_Irecv",
                   "blocks");
    });
}

inline void send_packed(std::byte* data, std::size_t bytes, int to, int tag, MPI_Comm wire,
                        std::vector<MPI_Request>& slots) {
    in_packed_pieces(data, bytes, [&](std::byte* piece, int length) {
        slots.push_back(MPI_REQUEST_NULL);
        mpi::check(MPI_Isend(piece, length, MPI_PACKED, to, tag, wire, &slots.back()), "MPI_Isend", "blocks");
    });
}

/// @pre `arrives_as_it_lies(what, layout)`
inline void receive_short(const message& what, const type_layout& layout, int from, int tag, MPI_Comm wire,
                          std::vector<MPI_Request>& slots) {
    const message to = received_in(what, layout);
    slots.push_back(MPI_REQUEST_NULL);
    mpi::check(MPI_Irecv(to.data, static_cast<int>(to.count), to.type, from, tag, wire, &slots.back()),
               "MPI_Irecv", "blocks");
}

/// @pre `is_short(what)`
inline void send_short(const message& what, int to, int tag, MPI_Comm wire, std::vector<MPI_Request>& slots) {
    slots.push_back(MPI_REQUEST_NULL);
    mpi::check(MPI_Isend(what.data, static_cast<int>(what.count), what.type, to, tag, wire, &slots.back()),
               "MPI_Isend", "blocks");
}

} // namespace topo::detail
