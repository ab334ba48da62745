// SPDX-License-Identifier: BSL-1.0
/// @file
/// What the ranks of a hierarchy keep between collectives.
#pragma once

#include <topomp/algorithm/edges.hpp>
#include <topomp/algorithm/exchange_order.hpp>
#include <topomp/algorithm/in_flight.hpp>
#include <topomp/algorithm/operation.hpp>
#include <topomp/algorithm/ranks_by_node.hpp>
#include <topomp/algorithm/spreading_tree.hpp>
#include <topomp/algorithm/subtree.hpp>
#include <topomp/algorithm/team_levels.hpp>
#include <topomp/algorithm/tree_plan.hpp>
#include <topomp/algorithm/two_levels.hpp>
#include <topomp/core/kept_objects.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/arena.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace topo::detail {

/// Everything that the collectives of a hierarchy keep from call to call.
class team {
public:
    /// The team of a hierarchy, made at its first collective. @collective over the whole the first time
    static team& of(const hierarchy& tree) {
        return tree.attachment<team>([&] { return std::make_shared<team>(tree); });
    }

    explicit team(const hierarchy& tree) : tree_(tree), levels_(tree) {}

    const boost::mpi::communicator& wire() const noexcept { return levels_.wire(); }
    int rank() const noexcept { return levels_.rank(); }
    const boost::mpi::communicator& members(int depth) const { return levels_.members(depth); }
    const boost::mpi::communicator& level(int depth) const { return levels_.level(depth); }
    int depth() const { return levels_.depth(); }
    const level_info& info(int depth) const { return levels_.info(depth); }

    /// The calling rank's edges in the tree that a plan makes for a root.
    /// @collective over the whole the first time for each root but 0
    /// @cost then an all-reduce of an integer in each level that contains the root; for `spreading`
    /// and `two_levels` nothing for a root, and the first time that of `by_node`; afterwards a look-up
    const tree_edges& edges_for(const tree_plan& plan, int root, operand_order order) {
        const edges_key key{plan.rules.data(), root, order};
        if (const auto known = edges_.find(key); known != edges_.end()) return known->second;
        forget_if_many(root);
        if (plan.ignores_placement) {
            const std::array step{step_view{everybody(), rank(), root, root}};
            return edges_.emplace(key, compose(step, std::array{plan.rules.back().how}, order)).first->second;
        }
        if (plan.spreads)
            return edges_
                .emplace(key, spreading_tree{by_node(machine_part::widest)}.edges(root, rank(), plan.spreads))
                .first->second;
        if (plan.through != node_leader::none)
            return edges_
                .emplace(key, two_level_edges(by_node(machine_part::numa_node), plan.through, plan.along(),
                                              plan.inside(), root, rank()))
                .first->second;
        const role& part = role_for(root);
        std::vector<any_shape> shapes;
        for (std::size_t k = 0; k < part.steps.size(); ++k)
            shapes.push_back(plan.shape_for(info(part.first_depth + static_cast<int>(k))));
        return edges_.emplace(key, compose(part.steps, shapes, order)).first->second;
    }

    /// Whether `edges_for` finds this root's without asking anybody: the same on all ranks.
    bool knows(int root) const { return root == 0 || roles_.contains(root); }

    /// Whether `subtree_for` finds this tree without asking anybody: the same on all ranks.
    bool knows_subtree(const tree_plan& plan, int root) const {
        return subtrees_.contains(edges_key{plan.rules.data(), root, operand_order::any});
    }

    /// Who hangs below the calling rank in that tree. @collective as `edges_for` the first time for each plan
    /// and root
    const subtree& subtree_for(const tree_plan& plan, int root) {
        const tree_edges& edges = edges_for(plan, root, operand_order::any);
        const edges_key key{plan.rules.data(), root, operand_order::any};
        if (const auto known = subtrees_.find(key); known != subtrees_.end()) return known->second;
        return subtrees_.emplace(key, find_subtree(wire(), next_tag(), edges, rank())).first->second;
    }

    /// All ranks in a row in which neighbours are near.
    /// @collective over the whole the first time @cost then a gather and a broadcast of 4 bytes per rank,
    /// and an all-reduce of a few integers
    const exchange_order& order() {
        if (!order_.ranks.empty()) return order_;
        std::vector<int> row = find_subtree(wire(), next_tag(), groups(), rank()).ranks;
        row.resize(static_cast<std::size_t>(wire().size()));
        mpi::bcast(row.data(), wire().size(), MPI_INT, 0, wire(), "order of ranks");
        order_ = exchange_order{std::move(row), rank()};
        order_.blocks = levels_.equal_sizes();
        return order_;
    }

    /// Which ranks are on which node.
    /// @collective over the whole the first time @cost then an all-gather of 4 bytes per rank
    const ranks_by_node& by_node(machine_part stands_in) {
        auto& known = levels_.join_nodes() || stands_in == machine_part::widest ? by_node_ : by_numa_node_;
        if (known) return *known;
        std::vector<int> nodes(static_cast<std::size_t>(wire().size()));
        const int mine = levels_.part_root(stands_in);
        mpi::check(MPI_Allgather(&mine, 1, MPI_INT, nodes.data(), 1, MPI_INT, wire()), "MPI_Allgather",
                   "nodes of all ranks");
        return known.emplace(nodes);
    }

    /// In which group a root is, in each of the calling rank's levels that contain it. @collective as
    /// `edges_for`
    const std::vector<int>& path_of(int root) {
        forget_if_many(root);
        return role_for(root).path;
    }

    /// The memory of the calling rank's node, which the hierarchy's windows come from, too.
    /// @collective over the whole the first time @cost then that of `arena::of`
    arena& node_memory() {
        if (memory_ == nullptr) memory_ = &arena::of(tree_.lock());
        return *memory_;
    }
    /// The same, or null before it was made.
    arena* const& known_node_memory() const noexcept { return memory_; }

    /// Memory for one call, kept from call to call.
    std::byte* scratch(std::size_t bytes) { return aligned(scratch_, bytes); }
    /// More of it, for a call that has taken the first.
    std::byte* second_scratch(std::size_t bytes) { return aligned(second_scratch_, bytes); }

    /// Operations of one type that wait for their next call.
    template <class Operation>
    operation_pool<Operation>& pool() {
        return kept_.get<operation_pool<Operation>>(
            [this] { return std::make_shared<operation_pool<Operation>>(running_); });
    }

    /// What an algorithm knows about this team: one object of its type, made of the team at the first call.
    template <class T>
    T& kept() {
        return kept_.get<T>([this] { return std::make_shared<T>(*this); });
    }

    /// The collectives that are on their way.
    in_flight& running() noexcept { return running_; }

    /// A tag for the next collective, the same on every rank, for all call them in the same order.
    int next_tag() {
        constexpr int last = 32767; // what the standard guarantees
        tag_ = tag_ == last ? team_levels::role_tag + 1 : tag_ + 1;
        return tag_;
    }

    /// The hierarchy in which every group is an interval of ranks, so that a reduction can keep their order:
    /// this one if it is so, else one without the levels that are not. @collective over the whole the first
    /// time
    team& in_rank_order() {
        if (!order_known_) {
            const int mine = levels_.are_intervals() ? 1 : 0;
            int all = 1;
            mpi::allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, wire(), "order of ranks");
            if (all == 0) ordered_.emplace(wire(), levels_.interval_place());
            order_known_ = true;
        }
        return ordered_ ? of(*ordered_) : *this;
    }

    /// Where a plan's tree combines operands.
    team& for_operands(const tree_plan& plan, operand_order order) {
        return order == operand_order::any || plan.ignores_placement ? *this : in_rank_order();
    }

private:
    /// The tree in which each level's members hang on its first. Children of inner levels come first, so that
    /// a rank and what is below its first few children is a group, whichever it is.
    tree_edges groups() {
        tree_edges result;
        const auto& steps = role_for(0).steps;
        if (const step_view& outermost = steps.front(); outermost.index > 0)
            result.parent = outermost.members.front();
        for (std::size_t k = steps.size(); k-- > 0;)
            if (steps[k].index == 0)
                result.children.insert(result.children.end(), steps[k].members.begin() + 1,
                                       steps[k].members.end());
        return result;
    }

    /// All ranks, ascending.
    std::span<const int> everybody() {
        if (everybody_.empty()) {
            everybody_.resize(static_cast<std::size_t>(wire().size()));
            std::iota(everybody_.begin(), everybody_.end(), 0);
        }
        return everybody_;
    }

    static std::byte* aligned(std::vector<std::byte>& memory, std::size_t bytes) {
        constexpr std::size_t alignment = 64;
        if (memory.size() < bytes + alignment) memory.resize(bytes + alignment);
        const auto raw = reinterpret_cast<std::uintptr_t>(memory.data());
        return memory.data() + (alignment - raw % alignment) % alignment;
    }

    /// Every rank sees the same roots in the same order, so all forget at the same time. Not rank 0's, whose
    /// edges running operations may use.
    void forget_if_many(int root) {
        constexpr std::size_t most_roots = 256, most_edges = 4 * most_roots;
        if ((roles_.size() < most_roots && edges_.size() < most_edges) || roles_.contains(root)) return;
        const auto is_of_another = [](const auto& known) { return std::get<1>(known.first) != 0; };
        std::erase_if(roles_, [](const auto& known) { return known.first != 0; });
        std::erase_if(edges_, is_of_another);
        std::erase_if(subtrees_, is_of_another);
    }

    /// The calling rank's part if data enters or leaves through `root`.
    const role& role_for(int root) {
        if (const auto known = roles_.find(root); known != roles_.end()) return known->second;
        return roles_.emplace(root, levels_.role_for(root)).first->second;
    }

    using edges_key = std::tuple<const void*, int, operand_order>;

    weak_hierarchy tree_; ///< which keeps this team
    arena* memory_ = nullptr;
    team_levels levels_;
    std::map<int, role> roles_;
    std::map<edges_key, tree_edges> edges_;
    std::map<edges_key, subtree> subtrees_;
    int tag_ = team_levels::role_tag;
    std::vector<std::byte> scratch_, second_scratch_;
    exchange_order order_;
    in_flight running_;
    bool order_known_ = false;
    std::optional<hierarchy> ordered_; ///< nothing: this hierarchy's groups are intervals
    std::vector<int> everybody_;
    std::optional<ranks_by_node> by_node_, by_numa_node_;
    kept_objects kept_;
};

} // namespace topo::detail
