// SPDX-License-Identifier: BSL-1.0
/// @file
/// The ranks of each node, and which of them carries data between two nodes.
#pragma once

#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/arena.hpp>

#include <boost/mpi/communicator.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <vector>

namespace topo::detail {

/// Which ranks share a node: plain data.
struct node_members {
    std::vector<int> node_of;              ///< by rank; nodes count from 0 in the order of their lowest ranks
    std::vector<std::vector<int>> members; ///< ranks of each node, ascending

    /// @param key of each rank's node: equal for ranks of one node
    static node_members of(std::span<const int> keys);

    int node(int rank) const { return node_of[static_cast<std::size_t>(rank)]; }
    const std::vector<int>& of_node(int node) const { return members[static_cast<std::size_t>(node)]; }

    /// The rank of a node that sends and receives what goes between this node and another: a different one
    /// for each, as far as there are ranks.
    int carrier(int node, int other) const {
        const auto& ranks = of_node(node);
        return ranks[static_cast<std::size_t>(other) % ranks.size()];
    }
};

/// The same of running ranks, with communicators of their own.
struct node_groups {
    node_members nodes;
    boost::mpi::communicator comm;   ///< all ranks; nothing else sends on it
    boost::mpi::communicator inside; ///< those of the calling rank's node, in the order of `members`
    arena* memory = nullptr;         ///< of the node, if blocks may go through it
    unsigned sparse_started = 0, sparse_ended = 0; ///< of sparse exchanges
    int started = 0;                               ///< exchanges that do not wait
    std::unique_ptr<in_flight> alone; ///< null: `running` is that of a hierarchy, with its collectives
    in_flight& running;               ///< those of them that are not complete
    /// An exchange has failed here: what others send for it may come to a later one, which has the same tags.
    mutable bool has_failed = false;
    bool sparse_has_failed = false;            ///< the same of sparse exchanges, which have tags of their own
    std::shared_ptr<const node_groups> before; ///< whose `running` it has

    /// Those of a hierarchy, made at first use. Ranks in no level of kind `machine` are on one node.
    /// @collective over the whole the first time @cost then an all-gather of an integer, a duplicate and a
    /// split; memory for an integer for each rank
    static node_groups& of(const hierarchy& levels);

    /// @param keys of each rank's node @param others of the hierarchy; null: there is none
    /// @collective over `from` @cost a duplicate and a split
    node_groups(const boost::mpi::communicator& from, std::span<const int> keys, in_flight* others = nullptr);
    node_groups(const node_groups&) = delete;
    node_groups& operator=(const node_groups&) = delete;
    ~node_groups() {
        running.left.keep_if_used(comm);
        running.left.keep_if_used(inside);
    }

    /// The same with communicators on which nothing has failed. @collective over `comm`
    static std::shared_ptr<node_groups> renewed(std::shared_ptr<node_groups> failed);

    /// @throws usage_error if an exchange has failed
    void require_sound(const char* call) const;
    /// @throws usage_error if a sparse exchange has failed
    void require_sparse_sound(const char* call) const;

    /// Replaces each value by the lowest of all ranks', while what was started goes on: a rank may wait for
    /// that before it comes here. @param when_late what to throw if the others do not come in time; null:
    /// waits for them @collective over `comm`
    void lowest_of_all(std::int64_t* values, std::size_t count,
                       const std::exception_ptr& when_late = {}) const;

    int node() const { return nodes.node(comm.rank()); }
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/neighbour/impl/node_groups.ipp>
#endif
