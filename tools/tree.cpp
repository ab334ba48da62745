// SPDX-License-Identifier: BSL-1.0
#include "tree.hpp"

#include <topomp/algorithm/edges.hpp>
#include <topomp/algorithm/tree_plan.hpp>
#include <topomp/core/error.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <sstream>
#include <string_view>
#include <utility>

namespace topo::tool {

namespace {

using detail::level_rule;

const std::array<std::pair<std::string_view, any_shape>, 10> shapes{{
    {"linear", any_shape::of<linear>()},
    {"chain", any_shape::of<chain>()},
    {"binary", any_shape::of<binary>()},
    {"3-ary", any_shape::of<k_ary<3>>()},
    {"4-ary", any_shape::of<k_ary<4>>()},
    {"binomial", any_shape::of<binomial>()},
    {"3-nomial", any_shape::of<k_nomial<3>>()},
    {"4-nomial", any_shape::of<k_nomial<4>>()},
    {"8-nomial", any_shape::of<k_nomial<8>>()},
    {"in_order_binary", any_shape::of<in_order_binary>()},
}};

[[noreturn]] void refuse(const std::string& rule, const std::string& problem) {
    throw argument_error("topomp show", "--tree '" + rule + "'", problem);
}

any_shape read_shape(const std::string& rule, std::string_view name) {
    const auto found = std::ranges::find(shapes, name, [](const auto& each) { return each.first; });
    if (found != shapes.end()) return found->second;
    std::string known;
    for (const auto& each : shapes)
        known.append(known.empty() ? "" : ", ").append(each.first);
    refuse(rule, "there is no shape '" + std::string{name} + "'; known are " + known);
}

std::vector<level_rule> read_rules(const std::string& text) {
    std::vector<level_rule> rules;
    std::istringstream parts{text};
    for (std::string rule; std::getline(parts, rule, ',');) {
        const auto equals = rule.find('=');
        if (!rules.empty() && rules.back().is_default)
            refuse(text, "the shape for all other levels must be the last");
        if (equals == rule.npos) {
            rules.push_back({kind::cluster, true, read_shape(text, rule)});
            continue;
        }
        const std::string name = rule.substr(0, equals);
        const auto which = name == "Cluster" ? kind::cluster : kind_from_string(name);
        if (!which) refuse(text, "there is no kind '" + name + "'");
        rules.push_back({*which, false, read_shape(text, std::string_view{rule}.substr(equals + 1))});
    }
    if (rules.empty() || !rules.back().is_default)
        refuse(text, "a shape for all other levels is missing at the end");
    return rules;
}

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
    const auto read = read_rules(rules);
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
