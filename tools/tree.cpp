// SPDX-License-Identifier: BSL-1.0
#include "tree.hpp"

#include <topomp/algorithm/any_shape.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/node_aware_tree.hpp>
#include <topomp/algorithm/tree/ranks_by_node.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/algorithm/tree/two_levels.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hierarchy/level_info.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/plan_text.hpp>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <numeric>
#include <string_view>
#include <vector>

namespace topo::tool {

namespace {

bool is_in(const outline::communicator& comm, int rank) {
    return std::ranges::binary_search(comm.ranks, rank);
}

/// The communicators that have all these ranks, from the whole inwards.
std::vector<const outline::communicator*> chain_of(const outline& all, std::initializer_list<int> ranks) {
    std::vector<const outline::communicator*> chain{&all.whole()};
    while (true) {
        const auto& children = chain.back()->children;
        const auto inner = std::ranges::find_if(children, [&](int child) {
            const auto& part = all.communicators[static_cast<std::size_t>(child)];
            return std::ranges::all_of(ranks, [&](int rank) { return is_in(part, rank); });
        });
        if (inner == children.end()) return chain;
        chain.push_back(&all.communicators[static_cast<std::size_t>(*inner)]);
    }
}

/// Adds the messages inside a communicator, which data enters at `entry`, outer levels first as ranks send
/// them.
void add_messages(const outline& all, const outline::communicator& comm, const detail::tree_plan& plan,
                  int entry, spanning_tree& tree) {
    struct member {
        int lowest, entry;
    };
    std::vector<member> members;
    for (const int rank : comm.ranks) {
        const outline::communicator* part = nullptr;
        for (const int child : comm.children)
            if (const auto& each = all.communicators[static_cast<std::size_t>(child)]; is_in(each, rank))
                part = &each;
        if (part == nullptr)
            members.push_back({rank, rank});
        else if (part->root() == rank)
            members.push_back({rank, is_in(*part, entry) ? entry : rank});
    }
    std::vector<int> numbers;
    for (const auto& each : members)
        numbers.push_back(each.lowest);
    const auto root = std::ranges::find(members, entry, &member::entry) - members.begin();
    level_info info;
    info.type = comm.type;
    info.also = comm.also;
    info.ranks_within = comm.ranks_within;
    for (std::size_t i = 0; i < members.size(); ++i) {
        const detail::step_view step{numbers, static_cast<int>(i), static_cast<int>(root), entry};
        for (const auto& child :
             detail::level_edges{step, plan.shape_for(info), detail::operand_order::any}.children())
            tree.messages.push_back({members[i].entry, child.rank, comm.depth, 0});
    }
    for (const int child : comm.children) {
        const auto& part = all.communicators[static_cast<std::size_t>(child)];
        add_messages(all, part, plan, is_in(part, entry) ? entry : part.root(), tree);
    }
}

/// Each rank's node by its lowest rank; in one machine, that of its part there.
std::vector<int> lowest_of_nodes(const outline& all, detail::machine_part stands_in) {
    std::vector<int> lowest;
    for (int rank = 0; rank < all.size(); ++rank) {
        const auto chain = chain_of(all, {rank});
        const auto joins = [](const outline::communicator* each) { return detail::joins_nodes(each->type); };
        auto node = std::ranges::find_if_not(chain, joins);
        if (node == chain.begin()) { // all ranks are in one machine
            const auto first_part = chain.begin() + (chain.size() > 1 ? 1 : 0);
            node = first_part;
            if (stands_in == detail::machine_part::numa_node)
                node = std::ranges::find_if(first_part, chain.end(), [](const outline::communicator* each) {
                    return each->type == kind::numa_node ||
                           std::ranges::count(each->also, kind::numa_node) > 0;
                });
            if (node == chain.end()) node = first_part;
            if (chain.size() == 1) node = chain.end();
        }
        lowest.push_back(node == chain.end() ? rank : (*node)->root());
    }
    return lowest;
}

/// Adds the messages of a tree that is not made of one shape for each level.
void add_messages_across(const outline& all, const detail::tree_plan& plan, int root, spanning_tree& tree) {
    const auto add = [&](int from, int to) {
        tree.messages.push_back({from, to, chain_of(all, {from, to}).back()->depth, 0});
    };
    if (plan.node_aware) {
        const detail::ranks_by_node nodes{lowest_of_nodes(all, detail::machine_part::widest)};
        detail::node_aware_tree{nodes}.send_all(root, plan.node_aware,
                                                [&](int from, int to, int) { add(from, to); });
        return;
    }
    std::vector<int> all_ranks(static_cast<std::size_t>(all.size()));
    std::iota(all_ranks.begin(), all_ranks.end(), 0);
    const detail::ranks_by_node nodes{lowest_of_nodes(all, detail::machine_part::numa_node)};
    for (const int rank : all_ranks) {
        const detail::step_view step{all_ranks, rank, root, root};
        const detail::tree_edges edges =
            plan.ignores_placement
                ? detail::compose({&step, 1}, {&plan.rules.back().shape, 1}, detail::operand_order::any)
                : detail::two_level_edges(nodes, plan.through, plan.along(), plan.inside(), root, rank);
        for (const int child : edges.children)
            add(rank, child);
    }
}

/// When each message arrives.
void add_steps(spanning_tree& tree, int rank, int from_step) {
    for (auto& message : tree.messages) {
        if (message.from != rank) continue;
        message.step = ++from_step;
        add_steps(tree, message.to, message.step);
    }
}

std::string level_name(const outline& all, int depth) {
    for (const auto& comm : all.communicators)
        if (comm.depth == depth) return std::string{to_string(comm.type)};
    return {};
}

void print_below(std::ostream& out, const outline& all, const spanning_tree& tree, int rank,
                 const std::string& indent) {
    for (const auto& message : tree.messages) {
        if (message.from != rank) continue;
        out << indent << message.to << "  step " << message.step << ", in a "
            << level_name(all, message.depth) << '\n';
        print_below(out, all, tree, message.to, indent + "  ");
    }
}

} // namespace

spanning_tree spanning_tree::of(const outline& all, const std::string& policy, int root) {
    if (root < 0 || root >= all.size())
        throw argument_error("topomp show", "--root " + std::to_string(root),
                             "there are ranks 0 to " + std::to_string(all.size() - 1));
    const std::string where = "--tree '" + policy + "'";
    const plan read = read_plan("topomp show", where, policy);
    if (read.uses != detail::algorithm::tree)
        throw argument_error("topomp show", where, "it is not one tree: give shapes, such as binomial");
    spanning_tree tree{root, {}};
    if (read.tree.node_aware || read.tree.ignores_placement || read.tree.through != detail::node_leader::none)
        add_messages_across(all, read.tree, root, tree);
    else
        add_messages(all, all.whole(), read.tree, root, tree);
    add_steps(tree, root, 0);
    return tree;
}

void render_tree_text(std::ostream& out, const outline& all, const spanning_tree& tree) {
    out << tree.root << "  the root\n";
    print_below(out, all, tree, tree.root, "  ");
}

} // namespace topo::tool
