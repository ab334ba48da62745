// SPDX-License-Identifier: BSL-1.0
/// @file
/// Verbs with a block for each rank, through the memory of a node.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/shared/shared_room.hpp>
#include <topomp/core/message.hpp>

#include <cstddef>
#include <vector>

namespace topo::detail {

/// All ranks of a hierarchy, if they are in one node: what they expose to each other and copy in one call.
/// Blocks of types with gaps are packed on the way.
class shared_blocks {
public:
    /// @collective over the context the first time
    explicit shared_blocks(context& ranks);

    /// Whether this algorithm can be used; the functions below may be called only then.
    bool works() const { return room_ == nullptr || room_->works(); }

    /// @param result with the own block at its place
    void all_gather(const blocks& result);

    /// @param mine in the result already, if that is its place @param result used on the root
    void gather(const message& mine, const blocks& result, int root);

    /// @param source used on the root
    void scatter(const blocks& source, const message& mine, int root);

    /// @pre source and result are different memory
    void all_to_all(const blocks& source, const blocks& result);

    /// @param input with a position for each block @param mine may lie in it
    /// @pre `shared_reduce_scatter::takes`
    void reduce_scatter(const blocks& input, const message& mine, MPI_Op op);

private:
    static std::byte* at(std::byte* all, int rank, std::size_t bytes);
    std::vector<wanted>& wishes() { return room_->wishes(); }

    void fetch(const std::byte* shows, std::size_t bytes);

    /// Where the blocks of all ranks arrive, one behind the other: in the result, or packed.
    std::byte* landing(const blocks& result, const type_layout& layout, std::size_t bytes);
    void unpack_others(std::byte* all, const blocks& result, const type_layout& layout, std::size_t bytes);

    /// As plain bytes, in memory in which nothing arrives.
    const std::byte* shown(const message& what, const type_layout& layout);
    const std::byte* all_shown(const blocks& source);

    /// Reused memory of a rank without others.
    struct alone {
        explicit alone(context&) {}
        scratch_buffer spare;
    };

    shared_room* room_ = nullptr; ///< null: the rank is alone
    scratch_buffer* alone_ = nullptr;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/impl/shared_blocks.ipp>
#endif
