// SPDX-License-Identifier: BSL-1.0
// Sums with topo::reproducible into windows that do not wait, several at a time, waited for in another order
// on each rank: the bits that integers of any length give.
#include "support/check_fails.hpp"
#include "support/exact_answer.hpp"
#include "support/exact_sums.hpp"
#include "support/made_up.hpp"
#include <topomp/collective/persistent.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/all_reduce_init.hpp>
#include <topomp/hybrid/iall_reduce.hpp>
#include <topomp/hybrid/ireduce.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/hybrid/reduce_init.hpp>
#include <topomp/hybrid/reproducible.hpp>
#include <topomp/hybrid/window_view.hpp>
#include <topomp/memory/shared_window.hpp>
#include <topomp/plan/policy.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace hybrid_reproducible_tests {

using topo::reproducible;
using topo_test::spread;
namespace hybrid = topo::hybrid;

namespace {

/// The operands and windows of one call of each form.
template <class T>
struct window_sums {
    const topo::hierarchy& levels;
    std::size_t count;
    std::uint32_t seed;
    int rank = levels.whole_rank(), size = levels.whole_size(), root = size / 2;
    std::vector<std::vector<T>> all;
    std::vector<T> mine = std::vector<T>(count);
    topo::shared_window<T> operands{levels, count}, everywhere{levels, count, hybrid::one_copy},
        of_windows{levels, count, hybrid::one_copy}, at_root{levels, count, hybrid::one_copy};

    window_sums(const topo::hierarchy& where, std::size_t elements, std::uint32_t number)
        : levels(where), count(elements), seed(number) {}

    void fill(int round) {
        all = topo_test::drawn<T>(seed + static_cast<std::uint32_t>(round), size, count,
                                  round == 1 ? spread::all : spread::none);
        mine = all[static_cast<std::size_t>(rank)];
        std::ranges::copy(mine, operands.local().begin());
    }

    template <class Policy>
    std::vector<topo::persistent> prepare(const hybrid::policy<Policy>& by) {
        std::vector<topo::persistent> made;
        made.push_back(hybrid::all_reduce_init(levels, mine, everywhere, reproducible{}, by));
        made.push_back(hybrid::all_reduce_init(levels, operands, of_windows, reproducible{}, by));
        made.push_back(hybrid::reduce_init(levels, mine, at_root, reproducible{}, root, by));
        return made;
    }
    template <class Policy>
    std::vector<topo::request> start(const hybrid::policy<Policy>& by) {
        std::vector<topo::request> made;
        made.push_back(hybrid::iall_reduce(levels, mine, everywhere, reproducible{}, by));
        made.push_back(hybrid::iall_reduce(levels, operands, of_windows, reproducible{}, by));
        made.push_back(hybrid::ireduce(levels, mine, at_root, reproducible{}, root, by));
        return made;
    }

    void check() const {
        const std::vector<T> sums = topo_test::answer(all, all.size());
        const auto is_in = [&](const topo::shared_window<T>& window) {
            return topo_test::same({window.all().begin(), window.all().end()}, sums);
        };
        CHECK(is_in(everywhere));
        CHECK(is_in(of_windows));
        if (rank == root) CHECK(is_in(at_root));
    }
};

template <class Forms>
void end_in_any_order(std::mt19937& order, Forms& forms) {
    std::vector<typename Forms::value_type*> all;
    for (auto& each : forms)
        all.push_back(&each);
    std::ranges::shuffle(all, order);
    for (auto* const each : all)
        each->wait();
}

template <class T, class Policy = topo::automatic>
void check_windows(const topo::hierarchy& levels, std::size_t count, std::uint32_t seed) {
    CAPTURE(count);
    const hybrid::policy<Policy> by;
    window_sums<T> sums{levels, count, seed};
    std::mt19937 order{static_cast<unsigned>(levels.whole_rank() + 1)};
    {
        auto prepared = sums.prepare(by);
        for (int round = 0; round < 3; ++round) {
            CAPTURE(round);
            sums.fill(round);
            for (auto& each : prepared)
                each.start();
            end_in_any_order(order, prepared);
            sums.check();
        }
    }
    sums.fill(1);
    auto started = sums.start(by);
    end_in_any_order(order, started);
    sums.check();
}

} // namespace

TEST_CASE("reproducible sums into windows, prepared and in the background") {
    const boost::mpi::communicator world;
    std::uint32_t seed = 311;
    for (const auto& each : topo_test::some_scenarios(world.size())) {
        INFO(each.name);
        const topo::hierarchy levels{world, each.on, each.rule};
        switch (++seed % 3) {
        case 0:
            check_windows<double>(levels, seed % 30, seed);
            break;
        case 1:
            check_windows<float>(levels, 150, seed);
            break;
        default:
            check_windows<double, topo::binomial>(levels, seed % 30, seed);
        }
    }
}

TEST_CASE("long reproducible sums into windows that do not wait, by default and by the MPI's own") {
    const topo::hierarchy levels{boost::mpi::communicator{}};
    check_windows<double>(levels, 1500, 1);
    check_windows<float, topo::flat>(levels, 20, 2);
}

TEST_CASE("reproducible sums into windows refuse lengths and roots that are wrong") {
    const topo::hierarchy levels{boost::mpi::communicator{}};
    std::vector<double> three(3), two_numbers(2);
    topo::shared_window<double> two{levels, 2, hybrid::one_copy};
    topo_test::check_fails<topo::argument_error>(
        [&] { hybrid::iall_reduce(levels, three, two, reproducible{}).wait(); },
        {"topo::hybrid::iall_reduce", "elements"});
    topo_test::check_fails<topo::argument_error>(
        [&] { hybrid::reduce_init(levels, two_numbers, two, reproducible{}, -1).free(); },
        {"topo::hybrid::reduce_init", "root"});
}

} // namespace hybrid_reproducible_tests
