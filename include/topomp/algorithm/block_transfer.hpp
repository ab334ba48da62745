// SPDX-License-Identifier: BSL-1.0
/// @file
/// One block of any length from one rank to another.
#pragma once

#include <topomp/algorithm/cell.hpp>
#include <topomp/algorithm/packed.hpp>
#include <topomp/core/message.hpp>

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace topo::detail {

/// A block on its way out. Short ones go as they lie; long ones as bytes, in pieces that both ends cut alike,
/// for both know its bytes. Nothing is sent for an empty one.
class outgoing_block {
public:
    void start(const message& what, const type_layout& layout, int to, int tag, MPI_Comm wire,
               std::vector<MPI_Request>& slots) {
        const std::size_t bytes = what.count * layout.size;
        if (bytes == 0) return;
        if (is_short(what, layout)) return send_short(what, to, tag, wire, slots);
        if (layout.is_dense)
            return send_packed(static_cast<std::byte*>(what.data), bytes, to, tag, wire, slots);
        cell_.reserve(bytes);
        pack(what, layout, cell_.data());
        send_packed(cell_.data(), bytes, to, tag, wire, slots);
    }

private:
    cell cell_; ///< for long ones with gaps
};

/// A block on its way in.
class incoming_block {
public:
    void start(const message& what, const type_layout& layout, int from, int tag, MPI_Comm wire,
               std::vector<MPI_Request>& slots) {
        is_packed_ = false;
        const std::size_t bytes = what.count * layout.size;
        if (bytes == 0) return;
        if (arrives_as_it_lies(what, layout)) return receive_short(what, layout, from, tag, wire, slots);
        if (layout.is_dense)
            return receive_packed(static_cast<std::byte*>(what.data), bytes, from, tag, wire, slots);
        is_packed_ = true;
        what_ = what;
        layout_ = layout;
        cell_.reserve(bytes);
        receive_packed(cell_.data(), bytes, from, tag, wire, slots);
    }

    /// Puts the elements where they belong. @pre everything has arrived
    void finish() {
        if (is_packed_) unpack(cell_.data(), what_, layout_);
        is_packed_ = false;
    }

private:
    message what_;
    type_layout layout_{MPI_BYTE};
    cell cell_; ///< for those with gaps that come packed
    bool is_packed_ = false;
};

} // namespace topo::detail
