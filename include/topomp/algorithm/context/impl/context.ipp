// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/context/level_communicators.hpp>
#include <topomp/algorithm/context/node_edges.hpp>
#include <topomp/algorithm/schedule/exchange_order.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/ranks_by_node.hpp>
#include <topomp/algorithm/tree/subtree.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE context& context::of(const hierarchy& levels) {
    return levels.attachment<context>([&] { return std::make_shared<context>(levels); });
}

TOPOMP_INLINE const std::shared_ptr<const tree_edges>& context::edges_for(const tree_plan& plan, int root,
                                                                          operand_order order) {
    const tree_key key{plan.identity(), root, order};
    if (own_trees_ != nullptr)
        if (const auto own = own_trees_->edges.find(key); own != own_trees_->edges.end()) return own->second;
    if (const auto known = edges_.find(key); known != edges_.end()) return known->second;
    forget_if_many(root);
    const auto keep = [&](tree_edges made) -> const std::shared_ptr<const tree_edges>& {
        return edges_.emplace(key, std::make_shared<const tree_edges>(std::move(made))).first->second;
    };
    if (plan.ignores_placement) {
        const std::array step{step_view{all_ranks(), rank(), root, root}};
        return keep(compose(step, std::array{plan.rules.back().shape}, order));
    }
    if (plan.needs_nodes()) {
        const auto make = node_edges_maker.load_relaxed();
        if (make == nullptr)
            throw usage_error("topo", "plan",
                              "its tree depends on nodes, but the program was not compiled for it");
        return keep(make(*this, plan, root));
    }
    const role& part = role_for(root);
    std::vector<any_shape> shapes;
    for (std::size_t k = 0; k < part.steps.size(); ++k)
        shapes.push_back(plan.shape_for(info(part.first_depth + static_cast<int>(k))));
    return keep(compose(part.steps, shapes, order));
}

TOPOMP_INLINE bool context::knows(const tree_plan& plan, int root, operand_order order) const {
    return root == 0 || roles_.contains(root) ||
           (own_trees_ != nullptr && own_trees_->edges.contains(tree_key{plan.identity(), root, order}));
}

TOPOMP_INLINE bool context::knows_subtree(const tree_plan& plan, int root) const {
    return subtrees_.contains(tree_key{plan.identity(), root, operand_order::any});
}

TOPOMP_INLINE const std::shared_ptr<const subtree>& context::subtree_for(const tree_plan& plan, int root) {
    const tree_key key{plan.identity(), root, operand_order::any};
    if (own_trees_ != nullptr)
        if (const auto own = own_trees_->subtrees.find(key); own != own_trees_->subtrees.end())
            return own->second;
    const tree_edges& edges = *edges_for(plan, root, operand_order::any);
    if (const auto known = subtrees_.find(key); known != subtrees_.end()) return known->second;
    auto made = std::make_shared<const subtree>(find_subtree(private_comm(), next_tag(), edges, rank()));
    return subtrees_.emplace(key, std::move(made)).first->second;
}

TOPOMP_INLINE const exchange_order& context::order() {
    if (!order_.ranks.empty()) return order_;
    std::vector<int> rank_order = find_subtree(private_comm(), next_tag(), groups(), rank()).ranks;
    rank_order.resize(static_cast<std::size_t>(private_comm().size()));
    mpi::bcast(rank_order.data(), private_comm().size(), MPI_INT, 0, private_comm(), "order of ranks");
    order_ = exchange_order{std::move(rank_order), rank()};
    order_.blocks = levels_.equal_sizes();
    return order_;
}

TOPOMP_INLINE bool context::knows_nodes_of(const tree_plan& plan) const {
    if (!plan.needs_nodes()) return true;
    return (levels_.join_nodes() || plan.node_aware ? by_node_ : by_numa_node_).has_value();
}

TOPOMP_INLINE const ranks_by_node& context::by_node(machine_part stands_in) {
    auto& known = levels_.join_nodes() || stands_in == machine_part::widest ? by_node_ : by_numa_node_;
    if (known) return *known;
    std::vector<int> nodes(static_cast<std::size_t>(private_comm().size()));
    const int mine = levels_.part_root(stands_in);
    mpi::check(MPI_Allgather(&mine, 1, MPI_INT, nodes.data(), 1, MPI_INT, private_comm()), "MPI_Allgather",
               "nodes of all ranks");
    return known.emplace(nodes);
}

TOPOMP_INLINE const std::vector<int>& context::path_of(int root) {
    forget_if_many(root);
    return role_for(root).path;
}

inline constexpr int first_reserved_tag = 16384, last_tag = 32767; ///< the last that the standard guarantees
/// So many operations have tags of their own; behind these are those of collectives that do not wait.
inline constexpr int reserved_numbers = 1536;

TOPOMP_INLINE reserved_tags context::reserve_tags() {
    const auto tags_of = [](int number) {
        return fixed_tags{first_reserved_tag + number * tags_of_one, tags_of_one, 0};
    };
    if (is_passing_) {
        constexpr int passing_numbers = (last_tag + 1 - first_reserved_tag) / tags_of_one - reserved_numbers;
        const int number = reserved_numbers + passing_;
        passing_ = (passing_ + 1) % passing_numbers;
        return {tags_of(number), nullptr};
    }
    if (has_tags_ == nullptr) {
        has_tags_ = std::make_shared<std::vector<std::atomic<unsigned char>>>(reserved_numbers);
        free_tags_.resize(reserved_numbers);
        std::iota(free_tags_.rbegin(), free_tags_.rend(), 0);
    } else if (free_tags_.empty()) {
        agree_on_free_tags();
    }
    const int number = free_tags_.back();
    free_tags_.pop_back();
    const auto set = [all = has_tags_, number](unsigned char has) {
        (*all)[static_cast<std::size_t>(number)].store(has, std::memory_order_release);
    };
    set(1);
    return {tags_of(number), std::shared_ptr<const void>{nullptr, [set](const void*) { set(0); }}};
}

TOPOMP_INLINE void context::agree_on_free_tags() {
    std::vector<unsigned char> mine(reserved_numbers),
        any(reserved_numbers); // ranks free theirs at different times
    std::ranges::transform(*has_tags_, mine.begin(), [](const auto& each) { return each.load(); });
#ifdef SMPI_H
    mpi::allreduce(mine.data(), any.data(), reserved_numbers, MPI_UNSIGNED_CHAR, MPI_MAX, private_comm(),
                   "tags");
#else
    std::array all{MPI_REQUEST_NULL}; // what was started goes on meanwhile
    mpi::check(MPI_Iallreduce(mine.data(), any.data(), reserved_numbers, MPI_UNSIGNED_CHAR, MPI_MAX,
                              private_comm(), all.data()),
               "MPI_Iallreduce", "tags");
    running_.wait_for_all(all, "tags");
#endif
    for (int number = reserved_numbers; number-- > 0;)
        if (any[static_cast<std::size_t>(number)] == 0) free_tags_.push_back(number);
    if (free_tags_.empty())
        throw usage_error("topo::persistent", "hierarchy",
                          "it has " + std::to_string(reserved_numbers) +
                              " persistent collectives: destroy some before another one is made");
}

TOPOMP_INLINE int context::next_tag() {
    if (fixed_ != nullptr) return fixed_->first + fixed_->taken++ % fixed_->number;
    constexpr int last = first_reserved_tag - 1;
    tag_ = tag_ == last ? level_communicators::role_tag + 1 : tag_ + 1;
    return tag_;
}

TOPOMP_INLINE context& context::in_rank_order() {
    if (!order_known_) {
        const int mine = levels_.are_intervals() ? 1 : 0;
        int all = 1;
        mpi::allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, private_comm(), "order of ranks");
        if (all == 0) running_.include(ordered_.emplace(private_comm(), levels_.interval_place()));
        order_known_ = true;
    }
    if (!ordered_) return *this;
    if (in_order_ == nullptr) {
        in_order_ = &of(*ordered_);
        in_order_->take_from(fixed_, own_trees_);
    }
    return *in_order_;
}

TOPOMP_INLINE context& context::for_operands(const tree_plan& plan, operand_order order) {
    return order == operand_order::any || plan.ignores_placement ? *this : in_rank_order();
}

TOPOMP_INLINE tree_edges context::groups() {
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

TOPOMP_INLINE std::span<const int> context::all_ranks() {
    if (everybody_.empty()) {
        everybody_.resize(static_cast<std::size_t>(private_comm().size()));
        std::iota(everybody_.begin(), everybody_.end(), 0);
    }
    return everybody_;
}

TOPOMP_INLINE std::byte* context::aligned(std::vector<std::byte>& memory, std::size_t bytes) {
    constexpr std::size_t alignment = 64;
    if (memory.size() < bytes + alignment) memory.resize(bytes + alignment);
    const auto raw = reinterpret_cast<std::uintptr_t>(memory.data());
    return memory.data() + (alignment - raw % alignment) % alignment;
}

TOPOMP_INLINE void context::forget_if_many(int root) {
    constexpr std::size_t most_roots = 256, most_edges = 4 * most_roots;
    if ((roles_.size() < most_roots && edges_.size() < most_edges) || roles_.contains(root)) return;
    const auto is_of_another = [](const auto& known) { return std::get<1>(known.first) != 0; };
    std::erase_if(roles_, [](const auto& known) { return known.first != 0; });
    std::erase_if(edges_, is_of_another);
    std::erase_if(subtrees_, is_of_another);
}

TOPOMP_INLINE const role& context::role_for(int root) {
    if (const auto known = roles_.find(root); known != roles_.end()) return known->second;
    return roles_.emplace(root, levels_.role_for(root)).first->second;
}

} // namespace topo::detail
