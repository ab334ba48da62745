// SPDX-License-Identifier: BSL-1.0
/// @file
/// all_to_allv and all_gatherv among several nodes, in one message between two nodes, through the memory of
/// each.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/shared/copy_groups.hpp>
#include <topomp/algorithm/shared/node_messages.hpp>
#include <topomp/algorithm/shared/node_synchronisation.hpp>
#include <topomp/core/detail/function_ref.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/arena.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace topo::detail {

/// Blocks of different lengths through the memory of nodes. The ranks of a node are carriers: rank i for the
/// nodes with the numbers i, i + p, i + 2p, ... if there are p; a carrier exchanges what its node and the
/// other have for each other straight out of the node's memory and into it.
///
/// all_gatherv: the rank i for the nodes that are i + 1, i + 1 + p, ... places away in the ring of nodes.
///
/// all_to_allv: every rank writes how many bytes it has for each node, and awaits from it. From that all
/// ranks compute where the message to each node lies, and where in it their blocks for that node. A message
/// is in order of the sources, and says where the block for each target ends, in numbers as narrow as a part
/// allows:
///
/// ```
///   head of each source's part | part 0: ends of blocks by target | blocks | part 1: ...
/// ```
class aggregated_blocks {
public:
    explicit aggregated_blocks(const hierarchy& levels);

    /// Up to which length, excluded, all_to_allv can take blocks, at most so many bytes; 0: there is no
    /// memory. The same on all ranks. @collective over the whole the first time, and when more is needed
    std::size_t shorter_than(std::size_t bytes);

    /// @param shorter_than only blocks of fewer bytes @pre `shorter_than`
    /// @throws argument_error if a block had another length
    void all_to_allv(const blocks& source, const blocks& result, std::size_t shorter_than);

    /// @param result with the own block at its place
    /// @param many from so many ranks of a node on copying the blocks takes as long as the network
    /// @return whether there was memory; if not, it has done nothing. The same on all ranks
    bool all_gatherv(const blocks& result, int many = 8);

private:
    /// What one rank announces to the others of its node, for each node.
    struct announced {
        std::uint64_t out = 0; ///< the head of its part of the message there; 0: there is none
        std::uint64_t in = 0;  ///< bytes of the blocks that it awaits from there
    };
    /// A message in the node's memory: from or to another node, or among the ranks of the node.
    struct box {
        std::size_t begin = 0, bytes = 0;
        std::size_t mine = 0; ///< where the calling rank's part begins
    };
    /// What is kept from call to call.
    struct kept {
        explicit kept(context&) {}
        kept(const kept&) = delete;
        kept& operator=(const kept&) = delete;
        ~kept() {
            if (messages.number() == 0) return; // else a call has failed
            for (arena::block* const each : {&block, &gathered})
                keep_for_messages(std::make_shared<arena::block>(std::move(*each)));
        }

        arena::block block, gathered;
        std::size_t shorter_than = 0;
        bool has_failed = false;
        node_messages messages;
        std::vector<box> out, in;            ///< by node
        std::vector<std::size_t> first_byte; ///< of each rank's block, by node
        scratch_buffer spare;
    };

    bool takes(arena::block& memory, std::size_t bytes);
    node_synchronisation synchronisation(arena::block& memory);

    announced* row(int number) const;
    void announce(const blocks& source, const blocks& result);
    void find_boxes();
    void pack_parts(const blocks& source);
    void unpack_box(int node, const std::byte* data, const blocks& result);

    /// Where a node's blocks begin among all, in bytes, in all_gatherv.
    std::size_t begin_of(int node) const;
    std::size_t bytes_of(int node) const { return begin_of(node + 1) - begin_of(node); }

    /// Whether all_gatherv takes one node after the other, so that its ranks copy one node's blocks while the
    /// next ones arrive: where many ranks of a node copy them, which then takes as long as the network.
    /// @param longest bytes of a node @param total of all
    bool go_in_turn(std::size_t longest, std::size_t total, int many) const;
    /// Step d exchanges with the nodes that are d places before and behind the own one in the ring of nodes.
    /// @param unpack_node copies a node's blocks to the results @collective over the whole
    void take_nodes_in_turn(node_synchronisation& node_sync, function_ref<void(int node)> unpack_node);
    void send_own(int step);
    /// The node that sends to the own one in a step.
    int before(int step) const;
    /// The number in its node of the rank that sends and receives in a step.
    int carrier_here(int step) const { return (step - 1) % groups_->size(); }
    /// The same of another node, as a rank.
    int carrier(int node, int step) const { return all_->at(node, (step - 1) % all_->size(node)); }
    /// The nodes' blocks to all nodes on a circulant graph, if some are much longer than others. @collective
    /// over the whole; ranks that carry nothing return at once
    void exchange_in_pieces(int tag);

    /// Calls `f(step)` for the steps in which the calling rank is the carrier.
    template <class F>
    void for_steps(F f) const;
    /// Calls `f(node, the carrier there)` for the nodes for which the calling rank is the carrier.
    template <class F>
    void for_carried(F f) const;

    const hierarchy& levels_;
    context& ranks_;
    kept& memory_;
    copy_groups* groups_ = nullptr;
    const grouped_ranks* all_ = nullptr;
    std::size_t shorter_than_ = 0;
    std::string problem_; ///< the first one
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/impl/aggregated_blocks.ipp>
#endif
