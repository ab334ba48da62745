// SPDX-License-Identifier: BSL-1.0
/// @file
/// all_to_all among several nodes, in one message between two nodes, or from a rank to a node, through the
/// memory of each.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/shared/copy_groups.hpp>
#include <topomp/algorithm/shared/node_messages.hpp>
#include <topomp/algorithm/shared/node_synchronisation.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/arena.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace topo::detail {

/// Blocks of one length through the memory of nodes. All ranks know where each block lies there:
///
/// ```
///   to or from a node of 2 ranks, on a node of 3:  source 0: block 0 1 | source 1: ...   by source, then
///   target
/// ```
///
/// The memory has two such halves, which calls use in turn. A rank that writes into a half has met all ranks
/// of its node in the call before, after they have read this half; so one barrier a call is enough.
class aggregated_exchange {
public:
    /// Up to so many bytes of all blocks that the ranks of a node have; longer calls do without memory.
    static constexpr std::size_t most_bytes = std::size_t{64} << 20;
    static constexpr bool fits(std::size_t ranks, std::size_t ranks_of_node, std::size_t bytes) {
        return bytes <= most_bytes / (ranks * ranks_of_node);
    }

    /// How many messages go from one of `nodes` nodes to another, by other ranks each.
    /// @param smaller ranks of the smaller of the two @param bytes of all blocks from the one to the other
    static constexpr int pieces(int nodes, int smaller, std::size_t bytes) {
        constexpr std::size_t shortest = std::size_t{8} << 10;
        const int most = nodes > 1 ? smaller / (nodes - 1) : 1;
        return bytes < 2 * shortest || most < 2
                   ? 1
                   : static_cast<int>(std::min(static_cast<std::size_t>(most), bytes / shortest));
    }

    /// In how many parts a rank reads what arrives from partners, so that it reads one while others arrive.
    /// @param bytes that it reads
    static constexpr int most_parts = 4;
    static constexpr int parts_of(std::size_t bytes, int nodes) {
        constexpr std::size_t shortest = std::size_t{16} << 10;
        return static_cast<int>(std::clamp<std::size_t>(
            bytes / shortest, 1, static_cast<std::size_t>(std::clamp(nodes - 1, 1, most_parts))));
    }

    /// @param bytes of a block
    aggregated_exchange(const hierarchy& levels, std::size_t bytes);

    /// Whether there is memory for this call. The same on all ranks.
    /// @collective over the whole the first time, and when more is needed
    bool works();

    /// In three steps: ranks write what they have for a node, carriers send it to carriers there, ranks read.
    /// @pre `works`; source and result are different memory
    void by_carriers(const blocks& source, const blocks& result);

    /// In two steps: each rank sends what it has for a node to one rank there, into the memory from which all
    /// ranks read. @pre likewise
    void by_partners(const blocks& source, const blocks& result);

private:
    /// What is kept from call to call.
    struct kept {
        explicit kept(context&) {}
        kept(const kept&) = delete;
        kept& operator=(const kept&) = delete;
        ~kept() { // with messages if a call has failed
            if (messages.number() > 0) keep_for_messages(std::make_shared<arena::block>(std::move(block)));
        }

        arena::block block;
        std::size_t block_bytes = 0; ///< for blocks as long as this there is memory
        bool has_failed = false, is_second = false;
        node_messages messages;
        scratch_buffer spare;
        std::vector<scratch_buffer> packed; ///< for each node
    };

    bool takes(std::size_t bytes);
    void begin();

    std::size_t half_bytes() const;
    /// The half of this call.
    std::byte* half() const;

    std::size_t before(int node) const {
        return static_cast<std::size_t>(all_->first[static_cast<std::size_t>(node)]);
    }
    std::size_t size_of_node(int node) const { return static_cast<std::size_t>(all_->size(node)); }

    /// Where the blocks for a node begin of those ranks here that come before a number, or of such ranks
    /// there for this node.
    std::byte* leaving(int node, std::size_t number) const;
    std::byte* arriving(int node, std::size_t number) const;

    void write(const blocks& source, const type_layout& layout, int node);
    void read(const blocks& result, const type_layout& layout, int node);
    void copy_own(const blocks& source, const blocks& result);

    /// Calls `f(first source, behind the last, the other's rank)` for what the calling rank carries from a
    /// node to another, of which one is its own.
    template <class F>
    void for_carried(int from, int to, F f) const;
    int carrier(int here, int there, int piece) const;

    void receive_rows(int node);
    void send_row(const blocks& source, const type_layout& layout, int node);

    const hierarchy& levels_;
    context& ranks_;
    kept& memory_;
    std::size_t bytes_;
    copy_groups* groups_ = nullptr;
    const grouped_ranks* all_ = nullptr;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/impl/aggregated_exchange.ipp>
#endif
