// SPDX-License-Identifier: BSL-1.0
// all_gather, all_to_all and the scans, by every policy, on all kinds of made-up machines, against a serial
// computation.
#include "support/append_numbers.hpp"
#include "support/for_each_algorithm.hpp"
#include "support/kept_hierarchy.hpp"
#include "support/made_up.hpp"
#include <topomp/algorithm/shared.hpp>
#include <topomp/collective/all_gather.hpp>
#include <topomp/collective/all_to_all.hpp>
#include <topomp/collective/exclusive_scan.hpp>
#include <topomp/collective/iall_gather.hpp>
#include <topomp/collective/iall_to_all.hpp>
#include <topomp/collective/scan.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace exchanges_tests {

using topo::detail::verb;
using topo_test::for_each_algorithm;

namespace {

/// Affine maps modulo a prime: their composition is associative and not commutative.
struct affine {
    int factor = 1, shift = 0;
    friend bool operator==(const affine&, const affine&) = default;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive& factor& shift;
    }
};

struct compose {
    affine operator()(const affine& first, const affine& second) const {
        constexpr int prime = 10007;
        return {first.factor * second.factor % prime, (first.shift * second.factor + second.shift) % prime};
    }
};

affine of(int rank, std::size_t element) {
    return {1 + (rank * 7 + static_cast<int>(element)) % 97, (rank + 3 * static_cast<int>(element)) % 101};
}

/// Of many ranks, which are simulated, a shorter longest one.
std::vector<std::size_t> sizes(const topo::hierarchy& levels) {
    return {0, 1, 7, levels.whole().size() > 16 ? std::size_t{150} : std::size_t{2000}};
}

/// All machines; with many ranks two of them.
template <class Check>
void on_all_machines(Check check) {
    const boost::mpi::communicator world;
    for (const auto& each : topo_test::few_scenarios_of_many(world.size())) {
        INFO(each.name);
        check(topo_test::hierarchy_on(world, each));
    }
}

template <class Policy>
void check_all_gather(Policy policy) {
    on_all_machines([&](const topo::hierarchy& levels) {
        for (const std::size_t count : sizes(levels)) {
            std::vector<int> mine, expected;
            for (int rank = 0; rank < levels.whole().size(); ++rank)
                topo_test::append_numbers(expected, count, rank * 10000);
            topo_test::append_numbers(mine, count, levels.whole().rank() * 10000);
            CHECK(topo::all_gather(levels, mine, policy) == expected);

            std::vector<int> in_place(expected.size(), -1);
            const std::size_t own = static_cast<std::size_t>(levels.whole().rank()) * count;
            std::copy(mine.begin(), mine.end(), in_place.begin() + static_cast<std::ptrdiff_t>(own));
            topo::all_gather(levels, topo::message{MPI_IN_PLACE},
                             topo::blocks{in_place.data(), MPI_INT, count}, policy);
            CHECK(in_place == expected);

            if constexpr (topo_test::is_served_in_background<Policy>(verb::all_gather)) {
                std::vector<int> result(expected.size(), -1);
                topo::iall_gather(levels, mine, result, policy).wait();
                CHECK(result == expected);
            }
        }
    });
}

template <class Policy>
void check_all_to_all(Policy policy) {
    on_all_machines([&](const topo::hierarchy& levels) {
        const int size = levels.whole().size(), me = levels.whole().rank();
        for (const std::size_t count : sizes(levels)) {
            std::vector<int> mine, expected;
            for (int other = 0; other < size; ++other) {
                topo_test::append_numbers(mine, count, (me * size + other) * 3000);
                topo_test::append_numbers(expected, count, (other * size + me) * 3000);
            }
            CHECK(topo::all_to_all(levels, mine, policy) == expected);
            if constexpr (topo_test::is_served_in_background<Policy>(verb::all_to_all)) {
                std::vector<int> result(expected.size(), -1);
                topo::iall_to_all(levels, mine, result, policy).wait();
                CHECK(result == expected);
            }
            topo::all_to_all(levels, {MPI_IN_PLACE}, topo::blocks{mine.data(), MPI_INT, count}, policy);
            CHECK(mine == expected);
        }
    });
}

template <class Policy>
void check_scans(Policy policy, std::initializer_list<std::size_t> long_ones = {}) {
    on_all_machines([&](const topo::hierarchy& levels) {
        const int me = levels.whole().rank();
        std::vector<std::size_t> counts{long_ones};
        if (counts.empty()) std::ranges::copy(sizes(levels), std::back_inserter(counts));
        for (const std::size_t count : counts) {
            std::vector<affine> mine(count), before(count), with_mine(count);
            for (std::size_t i = 0; i < count; ++i) {
                for (int rank = 0; rank < me; ++rank)
                    before[i] = compose{}(before[i], of(rank, i));
                mine[i] = of(me, i);
                with_mine[i] = compose{}(before[i], mine[i]);
            }
            std::vector<affine> result(count);
            topo::scan(levels, mine, result, compose{}, policy);
            CHECK(result == with_mine);

            const affine untouched{-5, -5};
            result.assign(count, untouched);
            topo::exclusive_scan(levels, mine, result, compose{}, policy);
            CHECK(result == (me == 0 ? std::vector<affine>(count, untouched) : before));

            result = mine;
            topo::scan(levels, result, result, compose{}, policy);
            CHECK(result == with_mine);
        }
        CHECK(topo::scan(levels, me + 1, std::plus<>{}, policy) == (me + 1) * (me + 2) / 2);
        CHECK(topo::exclusive_scan(levels, me + 1, std::plus<>{}, policy) == me * (me + 1) / 2);
    });
}

} // namespace
} // namespace exchanges_tests

BOOST_IS_MPI_DATATYPE(exchanges_tests::affine)

namespace exchanges_tests {

TEST_CASE("all_gather by every policy") {
    check_all_gather(topo::automatic{});
    for_each_algorithm<verb::all_gather>([]<class Policy>(const std::string& name) {
        INFO(name);
        check_all_gather(Policy{});
    });
    check_all_gather(topo::recursive_doubling{});
    check_all_gather(topo::segmented<1000, topo::binomial>{});
    check_all_gather(topo::lanes<>{});
    check_all_gather(topo::segmented<1000, topo::lanes<topo::linear, topo::chain>>{});
}

TEST_CASE("all_to_all by every policy") {
    check_all_to_all(topo::automatic{});
    for_each_algorithm<verb::all_to_all>([]<class Policy>(const std::string& name) {
        INFO(name);
        check_all_to_all(Policy{});
    });
    check_all_to_all(topo::recursive_doubling{});
    check_all_to_all(topo::k_ary_recursive_doubling<64>{});
    check_all_to_all(topo::node_aggregated<2, 1>{});
    check_all_to_all(topo::node_aggregated<4, 1000000>{});
}

TEST_CASE("scans by every policy, in the order of ranks") {
    check_scans(topo::automatic{});
    for_each_algorithm<verb::scan>([]<class Policy>(const std::string& name) {
        INFO(name);
        check_scans(Policy{});
    });
    check_scans(topo::binomial{});
    check_scans(topo::segmented<512, topo::in_order_binary>{});
    check_scans(topo::chain{});
}

TEST_CASE("long scans, through memory in several pieces") { check_scans(topo::shared{}, {2500, 40000}); }

TEST_CASE("blocks with gaps leave the gaps alone") {
    MPI_Datatype every_other = MPI_DATATYPE_NULL;
    MPI_Type_vector(3, 1, 2, MPI_INT, &every_other); // 3 numbers in 5 places
    MPI_Datatype spaced = MPI_DATATYPE_NULL;
    MPI_Type_create_resized(every_other, 0, 6 * sizeof(int), &spaced);
    MPI_Type_commit(&spaced);
    const auto check = [&](auto policy) {
        on_all_machines([&](const topo::hierarchy& levels) {
            const auto size = static_cast<std::size_t>(levels.whole().size());
            const int me = levels.whole().rank();
            std::vector<int> mine{me, me + 100, me + 200}, all(6 * size, -1), expected(6 * size, -1);
            for (std::size_t rank = 0; rank < size; ++rank)
                for (std::size_t i = 0; i < 3; ++i)
                    expected[6 * rank + 2 * i] = static_cast<int>(rank + 100 * i);
            topo::all_gather(levels, topo::message{mine.data(), 3, MPI_INT},
                             topo::blocks{all.data(), spaced, 1}, policy);
            CHECK(all == expected);
        });
    };
    const auto check_to_all = [&](auto policy) {
        on_all_machines([&](const topo::hierarchy& levels) {
            const int size = levels.whole().size(), me = levels.whole().rank();
            std::vector<int> mine, all(6 * static_cast<std::size_t>(size), -1), expected;
            for (int other = 0; other < size; ++other)
                for (int i = 0; i < 3; ++i) {
                    mine.push_back(100 * me + 10 * other + i);
                    expected.push_back(100 * other + 10 * me + i);
                    expected.push_back(-1);
                }
            topo::all_to_all(levels, topo::blocks{mine.data(), MPI_INT, 3},
                             topo::blocks{all.data(), spaced, 1}, policy);
            CHECK(all == expected);
        });
    };
    check_to_all(topo::pairwise{});
#ifndef SMPI_H // between its hosts it goes by SimGrid's own all-to-all, which of many ranks fills the gaps
    check_to_all(topo::shared{});
#endif
    check_to_all(topo::bruck{});
    check_to_all(topo::k_ary_recursive_doubling<4>{});
    check_to_all(topo::node_aggregated<4, 1>{});
    check_to_all(topo::node_aggregated<4, 100>{});
    check(topo::automatic{});
    check(topo::shared{});
    check(topo::shared_by_numa_node{});
    check(topo::ring{});
    check(topo::bruck{});
    check(topo::lanes<topo::chain>{});
    check(topo::recursive_doubling{});
    check(topo::binomial{});
    MPI_Type_free(&spaced);
    MPI_Type_free(&every_other);
}

TEST_CASE("sizes that do not fit are refused before anything is sent") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world, topo::machine::parse("node:2 core:2"),
                                 topo::placement::round_robin()};
    std::vector<int> wrong(static_cast<std::size_t>(world.size()) * 2 + 1);
    CHECK_THROWS_AS(topo::all_gather(levels, std::vector<int>(2), wrong), topo::argument_error);
    CHECK_THROWS_AS(topo::scan(levels, std::vector<int>(2), wrong, std::plus<>{}), topo::argument_error);
    if (world.size() > 1)
        CHECK_THROWS_AS(
            topo::all_to_all(levels, std::vector<int>(static_cast<std::size_t>(world.size()) + 1)),
            topo::argument_error);
}

} // namespace exchanges_tests
