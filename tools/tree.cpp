// SPDX-License-Identifier: BSL-1.0
#include "tree.hpp"

#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/core/error.hpp>
#include <topomp/policy/detail/policy_text.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace topo::tool {

namespace {

bool is_in(const outline::communicator& comm, int rank) {
    return std::ranges::binary_search(comm.ranks, rank);
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

spanning_tree spanning_tree::of(const outline& all, const std::string& rules, int root) {
    if (root < 0 || root >= all.size())
        throw argument_error("topomp show", "--root " + std::to_string(root),
                             "there are ranks 0 to " + std::to_string(all.size() - 1));
    const auto read = detail::read_rules("topomp show", "--tree '" + rules + "'", rules);
    spanning_tree tree{root, {}};
    add_messages(all, all.whole(), {read, 0}, root, tree);
    add_steps(tree, root, 0);
    return tree;
}

void render_tree_text(std::ostream& out, const outline& all, const spanning_tree& tree) {
    out << tree.root << "  the root\n";
    print_below(out, all, tree, tree.root, "  ");
}

} // namespace topo::tool
