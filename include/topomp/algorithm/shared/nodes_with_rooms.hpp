// SPDX-License-Identifier: BSL-1.0
/// @file
/// All ranks by node, and the shared memory of the own one: for exchanges in which not one rank of each node
/// alone takes part.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/levels/loop_plan.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/shared/shared_room.hpp>
#include <topomp/algorithm/tree/ranks_by_node.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>

namespace topo::detail {

/// The nodes of a plan whose rules are `within<kind, shared>` and `otherwise<A>`, A being `multi_object` or
/// `rounds_in_lanes`.
class nodes_with_rooms {
public:
    /// @collective over the context @cost an all-gather of 4 bytes per rank, an all-reduce, and those of the
    /// memory of a node
    nodes_with_rooms(context& ranks, const loop_plan& plan);

    /// Whether there are several nodes, and all have memory. The same on all ranks.
    bool works() const { return works_; }

protected:
    int nodes() const { return by_node_->nodes(); }
    /// Of the calling rank: its node, its number there, and the ranks of that node.
    int node() const { return node_; }
    int number() const { return number_; }
    int size() const { return size_; }
    /// Ascending.
    std::span<const int> ranks_of(int node) const { return by_node_->ranks_of(node); }
    int size_of(int node) const { return static_cast<int>(ranks_of(node).size()); }
    int rank_of(int node, int number) const { return ranks_of(node)[static_cast<std::size_t>(number)]; }
    int node_of(int rank) const { return by_node_->node_of(rank); }
    /// The number of a rank in its node.
    int number_of(int rank) const;

    /// Calls `use()`. If that throws while messages are under way, which it leaves behind, the memory of the
    /// node is kept and not used again.
    template <class Use>
    auto keep_if_failed(Use use) {
        const left_behind& left = ranks_.running().left;
        const std::size_t before = left.messages();
        try {
            return use();
        } catch (...) {
            if (room_ != nullptr && left.messages() != before) room_->give_up();
            throw;
        }
    }

    context& ranks_;
    shared_room* room_ = nullptr; ///< null: the rank is alone in its node
    int node_ = 0, number_ = 0, size_ = 1;
    int least_size_ = 1;   ///< of the smallest node
    int most_size_ = 1;    ///< of the largest one
    bool is_even_ = false; ///< whether all nodes have so many ranks

private:
    std::optional<ranks_by_node> by_node_;
    bool works_ = false;
};

/// Those of type `Nodes` that a context keeps for a plan. Null: they do not work.
/// @collective over the context the first time for each plan
template <class Nodes>
Nodes* nodes_of(context& ranks, const loop_plan& plan) {
    struct known {
        explicit known(context&) {}
        std::map<const void*, std::unique_ptr<Nodes>> by_rules;
    };
    auto& found = ranks.attached<known>().by_rules[plan.rules.data()];
    if (found == nullptr) found = std::make_unique<Nodes>(ranks, plan);
    return found->works() ? found.get() : nullptr;
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/shared/impl/nodes_with_rooms.ipp>
#endif
