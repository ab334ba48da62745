// SPDX-License-Identifier: BSL-1.0
/// @file
/// Operands of a rank in the memory of its node.
#pragma once

#include <topomp/algorithm/shared/shared_room.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>

namespace topo::detail {

/// Operands lie in the memory of a node as in the caller's, gaps of their type included.
class shared_operands {
protected:
    shared_operands(shared_room& room, const void* input, const message& result, MPI_Op op)
        : room_(room), layout_(result.type), input_(input), result_(result), op_(op) {}

    /// That an element fills where others follow it.
    std::size_t element_bytes() const {
        return static_cast<std::size_t>(std::max(layout_.extent, layout_.true_extent));
    }
    /// Where the first of some elements is, from where their bytes begin.
    std::byte* elements_at(std::byte* bytes) const { return bytes - layout_.true_lower; }
    const std::byte* input_bytes(std::size_t first) const;

    /// Own operands as they are in memory.
    void copy_in(std::byte* to, std::size_t first, std::size_t count) const;
    /// Gaps of the caller's elements stay as they are.
    void copy_out(std::byte* from, std::size_t first, std::size_t count);

    shared_room& room_;
    type_layout layout_;
    const void* input_;
    message result_;
    MPI_Op op_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/impl/shared_operands.ipp>
#endif
