// SPDX-License-Identifier: BSL-1.0
// The one tree that shapes of all levels compose, on made-up and random machines, for every root.
#include "support/made_up.hpp"
#include <topomp/algorithm/progress/segments.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/hierarchy/outline.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace edges_tests {

using topo::any_shape;
using topo::detail::compose;
using topo::detail::operand_order;
using topo::detail::step_view;
using topo::detail::tree_edges;

namespace {

/// A communicator of an outline, without what trees do not depend on.
struct group {
    std::vector<int> ranks; ///< ascending
    std::vector<group> parts;

    bool has(int rank) const { return std::ranges::binary_search(ranks, rank); }
    bool is_interval() const { return ranks.back() - ranks.front() + 1 == static_cast<int>(ranks.size()); }

    /// One for each part and each rank in no part: where in this list a rank's data passes.
    std::vector<std::vector<int>> members() const {
        std::vector<std::vector<int>> result;
        for (const int rank : ranks) {
            const auto part = std::ranges::find_if(parts, [&](const group& each) { return each.has(rank); });
            if (part == parts.end())
                result.push_back({rank});
            else if (part->ranks.front() == rank)
                result.push_back(part->ranks);
        }
        return result;
    }
};

enum class which { all, intervals };

/// The groups of an outline; or only those that are intervals, the others dissolved into what is around them.
group groups_of(const topo::outline& plan, which wanted, std::size_t at = 0) {
    const auto& here = plan.communicators[at];
    group result{here.ranks, {}};
    for (const int child : here.children) {
        group part = groups_of(plan, wanted, static_cast<std::size_t>(child));
        if (wanted == which::all || part.is_interval())
            result.parts.push_back(std::move(part));
        else
            std::ranges::move(part.parts, std::back_inserter(result.parts));
    }
    return result;
}

/// Data enters a group at the root where it is inside, else at the lowest rank.
int entry(const group& of, int root) { return of.has(root) ? root : of.ranks.front(); }

/// The group's members as one of them sees them. `members` must stay alive.
step_view view(const std::vector<std::vector<int>>& groups, const std::vector<int>& members, int rank,
               int entering) {
    const auto position = [&](int of) {
        return static_cast<int>(
            std::ranges::find_if(
                groups, [&](const auto& ranks) { return std::ranges::find(ranks, of) != ranks.end(); }) -
            groups.begin());
    };
    return {members, position(rank), position(entering), entering};
}

const std::vector<any_shape>& shapes(operand_order order) {
    using namespace topo;
    static const std::vector<any_shape> in_order{
        any_shape::of<linear>(),      any_shape::of<chain>(),       any_shape::of<binomial>(),
        any_shape::of<k_nomial<3>>(), any_shape::of<k_nomial<4>>(), any_shape::of<in_order_binary>()};
    static const std::vector<any_shape> all{
        any_shape::of<linear>(),      any_shape::of<chain>(),       any_shape::of<binomial>(),
        any_shape::of<k_nomial<3>>(), any_shape::of<k_nomial<4>>(), any_shape::of<in_order_binary>(),
        any_shape::of<binary>(),      any_shape::of<k_ary<3>>(),    any_shape::of<k_ary<5>>()};
    return order == operand_order::of_ranks ? in_order : all;
}

/// Which shape a group has: any, but the same for all its ranks.
const any_shape& shape_for(const group& of, operand_order order, std::uint32_t seed) {
    const auto& choice = shapes(order);
    const auto mix = (seed + 31U * static_cast<std::uint32_t>(of.ranks.front()) +
                      7U * static_cast<std::uint32_t>(of.ranks.size())) *
                     2654435761U;
    return choice[(mix >> 16) % choice.size()];
}

/// The edges of one rank, from what it knows of the groups that it is in.
tree_edges edges_of(const group& whole, int rank, int root, operand_order order, std::uint32_t seed) {
    std::vector<std::vector<int>> members;
    std::vector<step_view> steps;
    std::vector<any_shape> chosen;
    const group* at = &whole;
    members.reserve(64); // the views look into it
    while (at != nullptr) {
        const auto next = std::ranges::find_if(at->parts, [&](const group& each) { return each.has(rank); });
        const group* const inner = next == at->parts.end() ? nullptr : &*next;
        if (inner == nullptr || entry(*inner, root) == rank) {
            const auto groups = at->members();
            auto& numbers = members.emplace_back();
            for (const auto& each : groups)
                numbers.push_back(each.front());
            steps.push_back(view(groups, numbers, rank, entry(*at, root)));
            chosen.push_back(shape_for(*at, order, seed));
        }
        at = inner;
    }
    return compose(steps, chosen, order);
}

struct whole_tree {
    int root = 0;
    std::vector<tree_edges> edges; ///< of each rank

    int parent(int rank) const { return edges[static_cast<std::size_t>(rank)].parent; }
    const std::vector<int>& children(int rank) const {
        return edges[static_cast<std::size_t>(rank)].children;
    }
};

whole_tree tree_of(const group& whole, int root, operand_order order, std::uint32_t seed) {
    whole_tree result{root, {}};
    for (int rank = 0; rank < std::ssize(whole.ranks); ++rank)
        result.edges.push_back(edges_of(whole, rank, root, order, seed));
    return result;
}

bool is_spanning_tree(const whole_tree& tree) {
    if (tree.parent(tree.root) != -1) return false;
    std::vector<int> reached{tree.root};
    for (std::size_t i = 0; i < reached.size(); ++i) {
        if (reached.size() > tree.edges.size()) return false;
        for (const int child : tree.children(reached[i])) {
            if (child < 0 || child >= std::ssize(tree.edges) || tree.parent(child) != reached[i])
                return false;
            reached.push_back(child);
        }
    }
    std::ranges::sort(reached);
    return reached.size() == tree.edges.size() && std::ranges::adjacent_find(reached) == reached.end();
}

/// Whether every rank combines what its children send, once.
bool combines_its_children(const whole_tree& tree) {
    return std::ranges::all_of(tree.edges, [](const tree_edges& each) {
        std::vector<int> children = each.children, operands;
        for (const auto& one : each.operands)
            operands.push_back(one.rank);
        std::ranges::sort(children);
        std::ranges::sort(operands);
        return children == operands;
    });
}

/// Whether data goes into each group once, unless it begins there; and whether a group's parts and single
/// ranks are joined by one edge less than there are of them.
bool crosses_no_more_than_needed(const group& whole, const whole_tree& tree) {
    for (const group& part : whole.parts) {
        int into = 0;
        for (const int rank : part.ranks)
            if (rank != tree.root && !part.has(tree.parent(rank))) ++into;
        if (into != (part.has(tree.root) ? 0 : 1)) return false;
        if (!crosses_no_more_than_needed(part, tree)) return false;
    }
    const auto members = whole.members();
    const auto group_of = [&](int rank) {
        return std::ranges::find_if(
            members, [&](const auto& ranks) { return std::ranges::find(ranks, rank) != ranks.end(); });
    };
    std::size_t between = 0;
    for (const int rank : whole.ranks)
        if (rank != tree.root && whole.has(tree.parent(rank)) &&
            group_of(rank) != group_of(tree.parent(rank)))
            ++between;
    return between == members.size() - 1;
}

/// Whether the root's children over the outermost links are served first.
bool serves_outer_levels_first(const group& whole, const whole_tree& tree) {
    const auto shared_depth = [&](int a, int b) {
        int depth = 0;
        for (const group* at = &whole; at != nullptr; ++depth) {
            const auto next = std::ranges::find_if(
                at->parts, [&](const group& each) { return each.has(a) && each.has(b); });
            at = next == at->parts.end() ? nullptr : &*next;
        }
        return depth;
    };
    for (int rank = 0; rank < std::ssize(tree.edges); ++rank)
        if (!std::ranges::is_sorted(tree.children(rank), {},
                                    [&](int child) { return shared_depth(rank, child); }))
            return false;
    return true;
}

using word = std::vector<int>;

word combined(const whole_tree& tree, int rank) {
    word sum{rank};
    for (const auto& each : tree.edges[static_cast<std::size_t>(rank)].operands) {
        word theirs = combined(tree, each.rank);
        word& left = each.is_left ? theirs : sum;
        const word& right = each.is_left ? sum : theirs;
        left.insert(left.end(), right.begin(), right.end());
        if (each.is_left) sum = std::move(theirs);
    }
    return sum;
}

void check_all_roots(const group& whole, operand_order order, std::uint32_t seed) {
    for (const int root : whole.ranks) {
        INFO("root " << root);
        const auto tree = tree_of(whole, root, order, seed);
        const bool is_tree = is_spanning_tree(tree);
        CHECK(is_tree);
        if (!is_tree) return; // the other checks would follow a circle
        CHECK(combines_its_children(tree));
        CHECK(crosses_no_more_than_needed(whole, tree));
        CHECK(serves_outer_levels_first(whole, tree));
        auto sum = combined(tree, root);
        if (order == operand_order::any) std::ranges::sort(sum);
        CHECK(sum == whole.ranks);
    }
}

void check_machine(const topo_test::scenario& each, int ranks, const topo::hierarchy_options& options,
                   std::uint32_t seed) {
    INFO(each.name << ", " << ranks << " ranks, shapes by seed " << seed);
    const auto plan = topo::outline::of(topo::places_of(each.on, each.rule, ranks), options);
    check_all_roots(groups_of(plan, which::all), operand_order::any, seed);
    check_all_roots(groups_of(plan, which::intervals), operand_order::of_ranks, seed);
}

} // namespace

TEST_CASE("a composed tree joins all ranks, enters each group once and keeps the order") {
    for (const int ranks : {1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 23})
        for (const auto& each : topo_test::scenarios(ranks))
            for (std::uint32_t seed = 0; seed < 6; ++seed)
                check_machine(each, ranks, {}, seed);
}

TEST_CASE("so it does on random machines with ranks bound anywhere") {
    for (std::uint32_t seed = 1; seed <= (topo_test::is_watched ? 50U : 300U); ++seed) {
        const int ranks = 1 + static_cast<int>(seed * 7 % 29);
        check_machine(topo_test::random_scenario(seed, ranks), ranks, topo_test::random_options(seed), seed);
    }
}

TEST_CASE("the machines tried have groups that are no intervals, and ranks in no group") {
    bool dissolves = false, spans = false;
    for (std::uint32_t seed = 1; seed <= (topo_test::is_watched ? 50U : 300U); ++seed) {
        const int ranks = 1 + static_cast<int>(seed * 7 % 29);
        const auto each = topo_test::random_scenario(seed, ranks);
        const auto plan = topo::outline::of(topo::places_of(each.on, each.rule, ranks));
        const group whole = groups_of(plan, which::all);
        for (const group& part : whole.parts)
            dissolves = dissolves || !part.is_interval();
        spans = spans || (!whole.parts.empty() && whole.members().size() > whole.parts.size());
    }
    CHECK(dissolves);
    CHECK(spans);
}

TEST_CASE("a drawing: two nodes of three, by hand") {
    // node(0) 0 1 2 3 4 5, node(1) [0 1 2][3 4 5], root 4: it stands in for 3, and 3 hangs below it.
    const group whole{{0, 1, 2, 3, 4, 5}, {{{0, 1, 2}, {}}, {{3, 4, 5}, {}}}};
    const std::vector<int> outer{0, 3}, inner{3, 4, 5};
    const std::vector<any_shape> both(2, any_shape::of<topo::linear>());
    const std::vector<step_view> of_root{{outer, 1, 1, 4}, {inner, 1, 1, 4}};
    const auto any = compose(of_root, both, operand_order::any);
    CHECK(any.parent == -1);
    CHECK(any.children == std::vector{0, 5, 3});
    const auto ordered = compose(of_root, both, operand_order::of_ranks);
    std::vector<int> operands;
    for (const auto& each : ordered.operands)
        operands.push_back(each.rank);
    CHECK(operands.size() == 3);
    CHECK(operands.back() == 0); // the far node last
    CHECK(combined(tree_of(whole, 4, operand_order::of_ranks, 3), 4) == word{0, 1, 2, 3, 4, 5});
}

TEST_CASE("segments cut a message into pieces that MPI can count, none lost and none twice") {
    using topo::detail::segments;
    for (const std::size_t count : {0U, 1U, 2U, 7U, 8U, 9U, 1000U})
        for (const std::size_t element : {0U, 1U, 3U, 8U, 4096U})
            for (const std::size_t bytes : {0U, 1U, 8U, 20U, 4096U, 100000U}) {
                const segments cut{count, element, bytes};
                std::size_t next = 0;
                for (std::size_t s = 0; s < cut.number; ++s) {
                    CHECK(cut.first(s) == next);
                    CHECK(cut.length(s) > 0);
                    if (bytes > 0 && cut.length(s) > 1)
                        CHECK(static_cast<std::size_t>(cut.length(s)) * element <= bytes);
                    next += static_cast<std::size_t>(cut.length(s));
                }
                CHECK(next == count);
            }
    const std::size_t huge = (std::size_t{1} << 40) + 5;
    for (const std::size_t element :
         {std::size_t{0}, std::size_t{1}, std::size_t{65536}, std::size_t{1} << 32}) {
        const segments cut{huge, element, 0};
        const std::size_t last = cut.number - 1;
        CHECK(cut.first(last) + static_cast<std::size_t>(cut.length(last)) == huge);
        CHECK(cut.length(0) >= 1);
        if (cut.length(0) > 1)
            CHECK(static_cast<std::size_t>(cut.length(0)) * element <= std::size_t{1} << 31);
    }
    CHECK(segments::signal().number == 1);
    CHECK(segments::signal().length(0) == 0);
}

} // namespace edges_tests
