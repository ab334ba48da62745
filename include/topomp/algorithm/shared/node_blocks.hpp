// SPDX-License-Identifier: BSL-1.0
/// @file
/// all_gather, all_to_all, gather and scatter among several nodes through the memory of each, where each node
/// holds all blocks once, before every rank copies its own, or after it wrote its own.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/shared/copy_groups.hpp>
#include <topomp/algorithm/shared/node_synchronisation.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/arena.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <vector>

namespace topo::detail {

/// One call with a block for each rank. One message leaves a node for each other node, whereas engines
/// without shared memory send one for each pair of ranks or one for each rank and step, which is slow on
/// oversubscribed nodes. Every verb returns whether there was memory for it; if not, it has done nothing.
class node_blocks {
public:
    /// @param bytes of a block, the same on all ranks @param sharers whose memory: in place of nodes NUMA
    /// nodes
    node_blocks(const hierarchy& levels, std::size_t bytes, window_sharers sharers = window_sharers::of_node);

    /// @param result with the own block at its place
    bool all_gather(const blocks& result);

    /// @pre source and result are different memory
    bool all_to_all(const blocks& source, const blocks& result);

    /// The first rank of each other node sends the node's blocks to the root's node, where each rank receives
    /// those of other nodes than the others: into its memory. Long ones go to the root itself. A rank of the
    /// root's node returns after the root.
    /// @param result used on the root, which writes it when all ranks of its node have called
    bool gather(const message& mine, const blocks& result, int root);

    /// The root sends each other node's first rank the node's blocks. Short ones it writes into the memory of
    /// its node, whose ranks send them, each to other nodes. Ranks wait only for these, but when the memory
    /// is full of what was scattered. @param source used on the root
    /// @param mine in the source already, if that is its place
    bool scatter(const blocks& source, const message& mine, int root);

private:
    /// Whether there is memory for this call, which is not too long. @param blocks for each rank, of all
    /// ranks together
    /// @collective over the whole the first time, and when more is needed
    bool works(std::size_t blocks);

    /// Memory of the calling rank's node in which each of its ranks has as many bytes.
    struct kept {
        explicit kept(context&) {}
        arena::block block;
        std::size_t bytes_of_each = 0, results_begin = 0;
        bool has_failed = false;
        bool is_read = false;       ///< others may still read the data of the last call
        bool reads_results = false; ///< each rank may still read what others have written into its own part
        /// Scatters fill the memory one behind the other, up to here, and its ranks meet when it is full.
        std::size_t scattered = all_scattered;
        static constexpr std::size_t all_scattered = ~std::size_t{0};
        std::vector<MPI_Request> requests;
        std::vector<int> counts, positions;
        scratch_buffer of_others, spare;

        static std::byte* sources(const void* self, int number);
        static std::byte* results(const void* self, int number);
    };
    /// The same of NUMA nodes: a distinct type, as the key of the attachment.
    struct kept_of_numa_nodes : kept {
        using kept::kept;
    };

    std::byte* at(std::size_t block) const { return memory_.block.data() + block * bytes_; }
    node_synchronisation synchronisation();
    /// For a verb that writes anywhere: all have read what another one left.
    void take_over(node_synchronisation& node_sync);

    /// The nodes' first ranks exchange the blocks of their nodes. For few nodes and short blocks they send
    /// directly: one step of several messages is faster than two steps.
    void exchange(context& roots, const grouped_ranks& all);

    void wait_for_all();

    int bytes_of_node(const grouped_ranks& all, int group) const;
    /// Whether a node's blocks are one behind the other in a buffer with a block for each rank, so that they
    /// are sent from there. What a root gathers comes to a place of its own first: ranks of its node that
    /// have not called yet may read the result.
    static bool lie_together(const grouped_ranks& all, int group, const type_layout& layout);
    /// Where the root has the blocks of a node one behind the other, if they do not lie together: of its own
    /// node in memory that all its ranks see, of others in its own.
    std::byte* packed(const grouped_ranks& all, int group, int own);

    /// Whether ranks of a node can share memory with each other. The same on all ranks.
    bool has_memory() const;
    /// Whether all ranks of the root's node had better receive or send: among three nodes and more, and not
    /// where they would have to wait for cores. The same on all ranks.
    bool may_take_all_ranks(const copy_groups& groups) const;
    /// Blocks for each rank of a node, so that all have room for those of all ranks.
    std::size_t blocks_of_all(const copy_groups& groups) const;
    /// The number of the rank of a group that exchanges with another.
    static int carrier(const grouped_ranks& all, int group, int other);
    /// Calls `each(group)` for those with which the calling rank does.
    template <class Each>
    static void for_groups_of(const copy_groups& groups, Each each);
    static std::size_t begin_of(const grouped_ranks& all, int group);

    void receive_from_nodes(const grouped_ranks& all, int own, int tag);
    /// @param by_all whether they are in the memory of the node, one behind the other
    void unpack_from_nodes(const grouped_ranks& all, int own, const blocks& result, bool by_all);
    /// @param here where the blocks of the own node go
    void send_to_nodes(const grouped_ranks& all, const blocks& source, int own, int tag, std::byte* here);
    void pack_node(const grouped_ranks& all, int group, const blocks& source, const type_layout& layout,
                   std::byte* to);

    const hierarchy& levels_;
    context& ranks_;
    window_sharers sharers_;
    kept& memory_;
    std::size_t bytes_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/impl/node_blocks.ipp>
#endif
