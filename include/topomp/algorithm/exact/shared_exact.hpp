// SPDX-License-Identifier: BSL-1.0
/// @file
/// Sums that are rounded once, through the memory of a node.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/exact/exact_operation.hpp>
#include <topomp/algorithm/shared/block_range.hpp>
#include <topomp/algorithm/shared/shared_room.hpp>

#include <cstddef>

namespace topo::detail {

/// A reproducible sum among ranks that share memory, piece after piece: each rank copies its operands into
/// its chunks, adds a slice of all ranks' exactly, and copies the slices of all.
/// @cost as `shared_combine`: two copies and three waits for a piece
template <class T>
class shared_exact {
public:
    /// Whether all ranks of a hierarchy are in one node and have memory for this. What they need is then
    /// made.
    /// @collective over the whole the first time @return the memory, or null
    static shared_room* room_of(const hierarchy& levels, context& ranks);

    shared_exact(shared_room& room, const exact_call<T>& call) : room_(room), call_(call) {}

    /// @pre `call.what` is `of_all` @collective over the ranks of the memory
    void run();

private:
    static constexpr std::size_t piece = shared_room::chunks * shared_room::chunk_bytes / 2 / sizeof(T);

    block_range slice(std::size_t step, int rank) const {
        return block_range{0, length(step)}.part(rank, room_.size());
    }
    std::size_t length(std::size_t step) const;
    /// A rank's operands of a piece; of its own slice, the sums.
    T* chunk(int rank, std::size_t step) const;
    const T* operands(int rank, std::size_t step) const;
    void fill(std::size_t step);
    void take(std::size_t step);

    shared_room& room_;
    const exact_call<T>& call_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/exact/impl/shared_exact.ipp>
#endif
