// SPDX-License-Identifier: BSL-1.0
/// @file
/// Elements as contiguous bytes, for ranks that forward data without using it.
#pragma once

#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace topo::detail {

/// Copies elements into bytes. All ranks have the same number formats: a packed element is as long as its
/// data.
void pack(const message& from, const type_layout& layout, std::byte* to);

inline void pack(const message& from, std::byte* to) { pack(from, type_layout{from.type}, to); }

/// Copies bytes into elements, leaving the gaps of their type alone.
void unpack(const std::byte* from, const message& to, const type_layout& layout);

inline void unpack(const std::byte* from, const message& to) { unpack(from, to, type_layout{to.type}); }

/// Whether two messages are one and the same memory.
bool is_same(const message& a, const message& b);

/// Copies a block, whatever the two types, as long as they have equal data; nothing if it is there already.
/// @param temporary reused by later calls
void copy_block(const message& from, const message& to, scratch_buffer& temporary);
/// The same with the layouts of both types.
void copy_block(const message& from, const type_layout& source, const message& to, const type_layout& target,
                scratch_buffer& temporary);

/// Messages of more bytes than this are packed, in pieces of so many bytes, so that both ends use the same
/// pieces whatever their types. Shorter ones are not packed.
inline constexpr std::size_t longest_message = std::size_t{1} << 30;

bool is_short(const message& what, const type_layout& layout);

/// Whether a short message that may arrive packed is received without unpacking. Otherwise a packed one of
/// the same length is received.
bool arrives_as_it_lies(const message& what, const type_layout& layout);

bool is_short(const message& what);

/// Calls `f(first byte, number of bytes)` for each piece of a packed message.
template <class F>
void in_packed_pieces(std::byte* data, std::size_t bytes, F f) {
    for (std::size_t first = 0; first < bytes; first += longest_message)
        f(data + first, static_cast<int>(std::min(longest_message, bytes - first)));
}

void receive_packed(std::byte* data, std::size_t bytes, int from, int tag, MPI_Comm private_comm,
                    std::vector<MPI_Request>& slots);

void send_packed(std::byte* data, std::size_t bytes, int to, int tag, MPI_Comm private_comm,
                 std::vector<MPI_Request>& slots);

/// @pre `arrives_as_it_lies(what, layout)`
void receive_short(const message& what, const type_layout& layout, int from, int tag, MPI_Comm private_comm,
                   std::vector<MPI_Request>& slots);

/// @pre `is_short(what)`
void send_short(const message& what, int to, int tag, MPI_Comm private_comm, std::vector<MPI_Request>& slots);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/progress/impl/packed.ipp>
#endif
