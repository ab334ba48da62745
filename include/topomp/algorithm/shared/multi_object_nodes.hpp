// SPDX-License-Identifier: BSL-1.0
/// @file
/// The level algorithm `multi_object`: nodes that exchange by all their ranks.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/levels/loop_plan.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/shared/nodes_with_rooms.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace topo::detail {

/// The ranks of a context by node. Between node a and node b, which is d nodes behind it in the ring of
/// nodes, go the messages of the ranks with number d - 1 in their nodes, modulo the number of these.
///
/// ```
///   node 0        node 1        node 2       three nodes of two ranks
///   0 ──────────▶ 0 ──────────▶ 0 ─▶ to 0    d = 1
///   1 ────────────────────────▶ 1            d = 2, and so on
/// ```
class multi_object_nodes : public nodes_with_rooms {
public:
    using nodes_with_rooms::nodes_with_rooms;

    void barrier();

    /// The functions below return false, on all ranks, if they have done nothing: for too long messages.
    bool broadcast(const message& what, int root);

    /// @param result used on the root @pre the operation is commutative
    bool reduce(const void* input, const message& result, MPI_Op op, int root);

    /// All ranks combine the nodes' sums in the same order, so that their results are equal.
    /// @pre the operation is commutative
    bool all_reduce(const void* input, const message& result, MPI_Op op);

    /// How many nodes one node is behind another in their ring.
    int distance(int from, int to) const { return (to - from + nodes()) % nodes(); }
    /// The number in a node of the rank for a distance.
    int carrier(int node, int distance) const { return (distance - 1) % size_of(node); }
    /// The same as a rank of the context.
    int carrier_rank(int node, int distance) const { return rank_of(node, carrier(node, distance)); }
    /// So many ranks of the own node take part.
    int carriers() const { return std::min(nodes() - 1, size_); }

    /// Calls `each(distance)` for the calling rank's distances.
    template <class Each>
    void for_distances(Each each) const {
        for (int distance = number_ + 1; distance < nodes(); distance += size_)
            each(distance);
    }
    using nodes_with_rooms::node;
    using nodes_with_rooms::nodes;
    using nodes_with_rooms::number;
    using nodes_with_rooms::size;
    /// Bytes of memory for operands, a multiple of a cache line. Nothing: not all operands that a rank
    /// receives fit into a chunk.
    std::optional<std::size_t> bytes_of_slot(const type_layout& layout, std::size_t count) const;

private:
    /// As long as it lives, messages that a call does not wait for, because it fails, are left behind, and
    /// what they need is kept.
    class messages {
    public:
        explicit messages(multi_object_nodes& whose) : of_(whose) {}
        ~messages() {
            if (!of_.requests_.empty()) of_.leave_messages();
        }
        messages(const messages&) = delete;
        messages& operator=(const messages&) = delete;

    private:
        multi_object_nodes& of_;
    };
    void leave_messages() noexcept;

    bool all_reduce_in_memory(const void* input, const message& result, MPI_Op op);

    void send(const void* data, const message& what, int to, int tag);
    void receive(void* data, const message& what, int from, int tag);
    void wait_for_all();

    scratch_buffer sum_, received_;
    std::vector<MPI_Request> requests_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/impl/multi_object_nodes.ipp>
#endif
