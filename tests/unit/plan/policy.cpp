// SPDX-License-Identifier: BSL-1.0
// Policies as plain data: which shape a level gets, whether the order of operands is kept, how long segments
// are.
#include <topomp/decide/detail/tuned.hpp>
#include <topomp/plan/policy.hpp>
#include <topomp/plan/policy_traits.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace policy_tests {

using namespace topo;
using topo::detail::tree_plan_of;

namespace {

/// A shape that no one knows but this file: two at a time.
struct pairs {
    static constexpr bool is_interval = false;
    static constexpr int parent(int v, int) { return v == 0 ? -1 : v == 1 ? 0 : v - 2; }
    template <class F>
    static constexpr void children(int v, int n, F f) {
        if (v + 2 < n) f(v + 2);
        if (v == 0 && n > 1) f(1);
    }
};

static_assert(shape<pairs> && tree_policy<pairs>);
static_assert(tree_policy<per_level<otherwise<pairs>>>);
static_assert(tree_policy<segmented<64, chain>>);
static_assert(tree_policy<segmented<64, per_level<on<kind::machine, linear>, otherwise<chain>>>>);
static_assert(!tree_policy<native> && !tree_policy<flat> && !tree_policy<automatic> && !tree_policy<int>);

static_assert(!tree_policy<lanes<>> && !tree_policy<split_binary> &&
              !tree_policy<hierarchical<otherwise<mpi_calls>>>);

using topo::detail::algorithm;
using topo::detail::algorithm_of;
static_assert(algorithm_of<lanes<>> == algorithm::lanes &&
              algorithm_of<segmented<64, lanes<chain>>> == algorithm::lanes);
static_assert(algorithm_of<split_binary> == algorithm::split_trees &&
              algorithm_of<segmented<64, split_binary>> == algorithm::split_trees);
static_assert(algorithm_of<per_level<on<kind::cluster, split_binary>, otherwise<chain>>> ==
              algorithm::split_trees);
static_assert(algorithm_of<two_tree> == algorithm::split_trees &&
              algorithm_of<two_levels<two_tree>> == algorithm::split_trees);
static_assert(algorithm_of<two_levels<chain>> == algorithm::tree &&
              algorithm_of<segmented<64, two_levels<chain>>> == algorithm::tree);
static_assert(algorithm_of<per_level<otherwise<chain>>> == algorithm::tree &&
              algorithm_of<native> == algorithm::hierarchical);
static_assert(tree_plan_of<lanes<chain, linear>>.keeps_order() && !tree_plan_of<lanes<binary>>.keeps_order());
static_assert(!tree_plan_of<lanes<chain, binary>>.keeps_order());

static_assert(tree_plan_of<chain>.keeps_order());
static_assert(tree_plan_of<linear>.keeps_order());
static_assert(tree_plan_of<binomial>.keeps_order());
static_assert(tree_plan_of<k_nomial<3>>.keeps_order());
static_assert(tree_plan_of<in_order_binary>.keeps_order());
static_assert(!tree_plan_of<binary>.keeps_order());
static_assert(!tree_plan_of<pairs>.keeps_order());
static_assert(!tree_plan_of<per_level<on<kind::machine, binary>, otherwise<chain>>>.keeps_order());
static_assert(!tree_plan_of<per_level<on<kind::machine, chain>, otherwise<binary>>>.keeps_order());
static_assert(tree_plan_of<per_level<on<kind::machine, chain>, otherwise<linear>>>.keeps_order());

static_assert(tree_plan_of<chain>.segment_bytes == 0);
static_assert(tree_plan_of<segmented<4096, chain>>.segment_bytes == 4096);
static_assert(tree_plan_of<segmented<4096, chain>>.rules.size() == 1);

/// The children of 0 of 9 tell the shapes apart.
std::vector<int> children_of_root(const any_shape& tree_shape) {
    std::vector<int> found;
    tree_shape.children(0, 9, found);
    return found;
}

template <shape S>
std::vector<int> children_of_root() {
    return children_of_root(any_shape::of<S>());
}

level_info a_level(kind type, std::vector<kind> also = {}) {
    level_info info;
    info.type = type;
    info.also = std::move(also);
    return info;
}

template <class Policy>
std::vector<int> chosen(const level_info& at) {
    return children_of_root(tree_plan_of<Policy>.shape_for(at));
}

} // namespace

TEST_CASE("a level gets the shape of the first rule that fits") {
    using policy = per_level<on<kind::cluster, k_nomial<4>>, on<kind::machine, linear>,
                             on<kind::package, chain>, on<kind::machine, binary>, otherwise<k_ary<3>>>;
    CHECK(chosen<policy>(a_level(kind::cluster)) == children_of_root<k_nomial<4>>());
    CHECK(chosen<policy>(a_level(kind::machine)) == children_of_root<linear>());
    CHECK(chosen<policy>(a_level(kind::package)) == children_of_root<chain>());
    CHECK(chosen<policy>(a_level(kind::l2_cache)) == children_of_root<k_ary<3>>());
    CHECK(chosen<policy>(a_level(kind::l2_cache, {kind::package})) == children_of_root<chain>());
    CHECK(chosen<policy>(a_level(kind::core, {kind::machine, kind::package})) == children_of_root<linear>());
}

TEST_CASE("the shapes that tell the rules apart differ") {
    const std::vector all{children_of_root<linear>(),      children_of_root<chain>(),
                          children_of_root<k_nomial<4>>(), children_of_root<k_ary<3>>(),
                          children_of_root<binary>(),      children_of_root<pairs>()};
    for (std::size_t a = 0; a < all.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
            CHECK(all[a] != all[b]);
}

TEST_CASE("where halves go different ways, other algorithms have one tree for both") {
    using topo::detail::other_half_of, topo::detail::split_binary_half;
    using policy = segmented<64, per_level<on<kind::machine, split_binary>, otherwise<chain>>>;
    const auto machine = a_level(kind::machine), package = a_level(kind::package);
    const auto& plan = tree_plan_of<policy>;
    const auto& other = other_half_of<policy>;
    CHECK(children_of_root(plan.shape_for(machine)) == children_of_root<split_binary_half<0>>());
    CHECK(children_of_root(other.shape_for(machine)) == children_of_root<split_binary_half<1>>());
    CHECK(children_of_root<split_binary_half<0>>() != children_of_root<split_binary_half<1>>());
    CHECK(children_of_root(plan.shape_for(package)) == children_of_root<chain>());
    CHECK(children_of_root(other.shape_for(package)) == children_of_root<chain>());
    CHECK(plan.segment_bytes == 64);
    CHECK(other.segment_bytes == 64);
}

TEST_CASE("two levels are a shape among nodes and one inside, in halves through different ranks") {
    using topo::detail::two_tree_half, topo::detail::node_leader, topo::detail::other_half_of;
    using policy = segmented<64, two_levels<two_tree, linear>>;
    const auto children = [](const any_shape& tree_shape) {
        std::vector<int> found;
        tree_shape.children(1, 9, found);
        return found;
    };
    const auto& plan = tree_plan_of<policy>;
    const auto& other = other_half_of<policy>;
    CHECK(children(plan.along()) == children(any_shape::of<two_tree_half<0>>()));
    CHECK(children(other.along()) == children(any_shape::of<two_tree_half<1>>()));
    CHECK(children(plan.along()) != children(other.along()));
    CHECK(children(plan.inside()) == children(any_shape::of<linear>()));
    CHECK(children(other.inside()) == children(any_shape::of<linear>()));
    CHECK(plan.through == node_leader::first);
    CHECK(other.through == node_leader::in_the_middle);
    CHECK(plan.segment_bytes == 64);
    CHECK(other.segment_bytes == 64);
    CHECK(tree_plan_of<two_levels<chain>>.through == node_leader::first);
    CHECK(tree_plan_of<chain>.through == node_leader::none);
    CHECK_FALSE(tree_plan_of<two_levels<chain, chain>>.keeps_order());
    // A context knows trees by where their rules are.
    using by_levels = per_level<on<kind::cluster, two_tree>, otherwise<linear>>;
    using by_nodes = two_levels<two_tree, linear>;
    CHECK(tree_plan_of<by_nodes>.rules.data() != tree_plan_of<by_levels>.rules.data());
    CHECK(other_half_of<by_nodes>.rules.data() != other_half_of<by_levels>.rules.data());
}

TEST_CASE("a shape by itself is for all levels, segmented or not") {
    for (const kind each : {kind::cluster, kind::network_switch, kind::machine, kind::pu}) {
        CHECK(chosen<pairs>(a_level(each)) == children_of_root<pairs>());
        CHECK(chosen<segmented<100, pairs>>(a_level(each)) == children_of_root<pairs>());
    }
    using rules = per_level<on<kind::machine, linear>, otherwise<chain>>;
    CHECK(chosen<segmented<100, rules>>(a_level(kind::machine)) == children_of_root<linear>());
    CHECK(chosen<segmented<100, rules>>(a_level(kind::core)) == children_of_root<chain>());
}

TEST_CASE("a shape that forgot its type is still the shape") {
    constexpr any_shape erased = any_shape::of<in_order_binary>();
    static_assert(erased.is_interval());
    for (int n = 1; n <= 20; ++n)
        for (int v = 0; v < n; ++v) {
            CHECK(erased.parent(v, n) == in_order_binary::parent(v, n));
            std::vector<int> found{-7}, expected{-7};
            erased.children(v, n, found);
            in_order_binary::children(v, n, [&](int child) { expected.push_back(child); });
            CHECK(found == expected);
        }
}

} // namespace policy_tests
