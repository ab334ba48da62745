// SPDX-License-Identifier: BSL-1.0
// Collectives from more roots than a hierarchy keeps trees for: under way, and prepared.
#include <topomp/algorithm/context/context.hpp>
#include <topomp/collective/all_reduce_init.hpp>
#include <topomp/collective/broadcast.hpp>
#include <topomp/collective/broadcast_init.hpp>
#include <topomp/collective/gather_init.hpp>
#include <topomp/collective/ibroadcast.hpp>
#include <topomp/collective/ireduce.hpp>
#include <topomp/collective/reduce_init.hpp>
#include <topomp/collective/scatter_init.hpp>
#include <topomp/collective/wait.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

namespace many_roots_tests {

TEST_CASE("along lanes from every root at a time") { // lanes keep the trees of 64 roots
    const boost::mpi::communicator world;
    const int size = world.size();
    const topo::hierarchy levels{world, topo::machine::parse("node:20 core:4"),
                                 topo::placement::core_by_core()};
    constexpr std::size_t count = 12;
    const auto ranks = static_cast<std::size_t>(size);
    std::vector<std::vector<int>> spread(ranks), sums(ranks);
    const std::vector<int> ones(count, 1);
    std::vector<topo::request> under_way;
    for (int root = 0; root < size; ++root) {
        auto& data = spread[static_cast<std::size_t>(root)];
        data.assign(count, world.rank() == root ? 7 * root : -1);
        under_way.push_back(
            topo::ibroadcast(levels, data, root, topo::lanes<topo::binomial, topo::binomial>{}));
        auto& sum = sums[static_cast<std::size_t>(root)];
        sum.assign(count, -1);
        under_way.push_back(topo::ireduce(levels, ones, sum, std::plus<>{}, root,
                                          topo::lanes<topo::binomial, topo::binomial>{}));
    }
    topo::wait_all(under_way);
    for (int root = 0; root < size; ++root) {
        CHECK(spread[static_cast<std::size_t>(root)] == std::vector<int>(count, 7 * root));
        if (world.rank() == root)
            CHECK(sums[static_cast<std::size_t>(root)] == std::vector<int>(count, size));
    }
}

namespace {

const topo::detail::tree_plan& some_tree = topo::detail::tree_plan_of<topo::binomial>;

/// Makes a hierarchy forget the trees of all roots but 0 and one other, in place of using 256 roots.
void forget_trees(const topo::hierarchy& levels, int other_root) {
    static const std::vector<topo::detail::level_rule> rules(1024, some_tree.rules.back());
    auto& ranks = topo::detail::context::of(levels);
    topo::detail::tree_plan one = some_tree;
    one.ignores_placement = true; // which needs no communication
    for (const auto& rule : rules) {
        one.rules = {&rule, 1};
        ranks.edges_for(one, 0, topo::detail::operand_order::any);
    }
    int number = 0;
    topo::broadcast(levels, number, other_root, topo::binomial{});
}

/// One rank after the other: who waited for the next would wait for ever.
void start_in_turn(const boost::mpi::communicator& world, topo::persistent& one) {
    if (world.rank() > 0) world.recv(world.rank() - 1, 77);
    one.start();
    if (world.rank() + 1 < world.size()) world.send(world.rank() + 1, 77);
}

} // namespace

TEST_CASE("a prepared one starts alone, although the trees of its root were forgotten") {
    const boost::mpi::communicator world;
    const int size = world.size(), last = size - 1, other = std::max(0, size - 2);
    const topo::hierarchy levels{world, topo::machine::parse("node:2 package:2 core:2"),
                                 topo::placement::round_robin()};
    const auto ranks = static_cast<std::size_t>(size);
    std::vector<int> numbers(ranks), gathered(ranks, -1);
    std::iota(numbers.begin(), numbers.end(), 0);
    int mine = world.rank(), scattered = -1, spread = -1, sum = -1;
    auto gather = topo::gather_init(levels, mine, gathered, last, topo::binomial{});
    auto scatter = topo::scatter_init(levels, numbers, scattered, last, topo::binomial{});
    auto broadcast = topo::broadcast_init(levels, spread, last, topo::binomial{});
    auto halves = topo::broadcast_init(levels, numbers, last, topo::segmented<64, topo::two_tree>{});
    auto reduce = topo::reduce_init(levels, mine, sum, std::plus<>{}, last, topo::binomial{});
    forget_trees(levels, other);
    if (size > 2) // of two roots none is forgotten
        CHECK(!topo::detail::context::of(levels).knows(some_tree, last, topo::detail::operand_order::any));
    if (world.rank() == last) spread = 7;
    for (auto* each : {&gather, &scatter, &broadcast, &halves, &reduce}) {
        start_in_turn(world, *each);
        each->wait();
    }
    CHECK(scattered == world.rank());
    CHECK(spread == 7);
    if (world.rank() == last) {
        CHECK(gathered == numbers);
        CHECK(sum == size * (size - 1) / 2);
    }
}

TEST_CASE("along lanes a prepared one starts alone, although its root was forgotten") {
    const boost::mpi::communicator world;
    const int size = world.size(), last = size - 1;
    const topo::hierarchy levels{world, topo::machine::parse("node:20 core:4"),
                                 topo::placement::core_by_core()};
    constexpr std::size_t count = 12;
    using lanes = topo::lanes<topo::binomial, topo::binomial>;
    std::vector<int> data(count, -1), sum(count, -1), all(count, -1);
    const std::vector<int> ones(count, 1);
    auto broadcast = topo::broadcast_init(levels, data, last, lanes{});
    auto reduce = topo::reduce_init(levels, ones, sum, std::plus<>{}, last, lanes{});
    auto all_reduce = topo::all_reduce_init(levels, ones, all, std::plus<>{}, lanes{});
    int number = 0;
    for (int root = 0; root < last; ++root)
        topo::broadcast(levels, number, root, lanes{});
    if (world.rank() == last) data.assign(count, 7);
    for (auto* each : {&broadcast, &reduce, &all_reduce}) {
        start_in_turn(world, *each);
        each->wait();
    }
    CHECK(data == std::vector<int>(count, 7));
    CHECK(all == std::vector<int>(count, size));
    if (world.rank() == last) CHECK(sum == std::vector<int>(count, size));
}

TEST_CASE("an operation's own trees come before those of all") {
    const boost::mpi::communicator world;
    const int last = world.size() - 1;
    const topo::hierarchy levels{world, topo::machine::parse("node:2 core:4"),
                                 topo::placement::core_by_core()};
    auto& ranks = topo::detail::context::of(levels);
    constexpr auto any = topo::detail::operand_order::any;
    topo::detail::kept_trees own;
    const topo::detail::tree_key key{some_tree.identity(), last, any};
    const auto edges = ranks.edges_for(some_tree, last, any);
    const auto below = ranks.subtree_for(some_tree, last);
    own.edges.emplace(key, edges);
    own.subtrees.emplace(key, below);
    forget_trees(levels, std::max(0, last - 1));
    {
        const topo::detail::context::start_of_one now{ranks, nullptr, &own};
        CHECK(ranks.knows(some_tree, last, any));
        CHECK(ranks.edges_for(some_tree, last, any) == edges);
        CHECK(ranks.subtree_for(some_tree, last) == below);
    }
    if (last > 1) CHECK(!ranks.knows(some_tree, last, any));
}

} // namespace many_roots_tests
