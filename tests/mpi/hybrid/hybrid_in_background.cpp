// SPDX-License-Identifier: BSL-1.0
// Hybrid verbs that do not wait: several windows at a time, waited for in another order on each rank,
// prepared once and started again.
#include "support/crosswise.hpp"
#include "support/hybrid_calls.hpp"
#include "support/made_up.hpp"
#include <topomp/collective/wait.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/all_gather.hpp>
#include <topomp/hybrid/all_gather_init.hpp>
#include <topomp/hybrid/all_gatherv_init.hpp>
#include <topomp/hybrid/all_reduce.hpp>
#include <topomp/hybrid/all_reduce_init.hpp>
#include <topomp/hybrid/all_to_all_init.hpp>
#include <topomp/hybrid/broadcast.hpp>
#include <topomp/hybrid/broadcast_init.hpp>
#include <topomp/hybrid/gather.hpp>
#include <topomp/hybrid/gather_init.hpp>
#include <topomp/hybrid/iall_gather.hpp>
#include <topomp/hybrid/iall_gatherv.hpp>
#include <topomp/hybrid/iall_reduce.hpp>
#include <topomp/hybrid/iall_to_all.hpp>
#include <topomp/hybrid/ibroadcast.hpp>
#include <topomp/hybrid/igather.hpp>
#include <topomp/hybrid/ireduce.hpp>
#include <topomp/hybrid/iscatter.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/hybrid/reduce.hpp>
#include <topomp/hybrid/reduce_init.hpp>
#include <topomp/hybrid/scatter_init.hpp>
#include <topomp/memory/shared_window.hpp>
#include <topomp/plan/policy.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <utility>
#include <vector>

namespace hybrid_in_background_tests {

namespace {

using number = std::uint64_t;
using numbers = std::vector<number>;
using window = topo::shared_window<number>;

std::size_t length_of(int rank) { return static_cast<std::size_t>((2 * rank + 1) % 4); }

/// The buffers and windows of one call of each verb.
struct stage {
    const topo::hierarchy& levels;
    std::size_t count;
    int rank = levels.whole().rank(), size = levels.whole().size(), root = size - 1;
    std::size_t ranks = static_cast<std::size_t>(size), sum_of_lengths = all_lengths();
    numbers mine = numbers(count), own = numbers(length_of(rank)), dealt = numbers(count);
    std::vector<int> counts;
    window spread{levels, count, topo::hybrid::one_copy}, sum{levels, count, topo::hybrid::one_copy},
        ordered{levels, count, topo::hybrid::one_copy}, at_root{levels, count, topo::hybrid::one_copy},
        all{levels, count*ranks, topo::hybrid::one_copy},
        unequal{levels, sum_of_lengths, topo::hybrid::one_copy},
        gathered{levels, count*ranks, topo::hybrid::one_copy},
        source{levels, count*ranks, topo::hybrid::one_copy};
    window out{levels, count*ranks}, in{levels, count*ranks};

    stage(const topo::hierarchy& where, std::size_t elements) : levels(where), count(elements) {
        for (int other = 0; other < size; ++other)
            counts.push_back(static_cast<int>(length_of(other)));
    }
    std::size_t all_lengths() const {
        std::size_t result = 0;
        for (int other = 0; other < size; ++other)
            result += length_of(other);
        return result;
    }

    static number element(int of_rank, std::size_t i, number round) {
        return topo_test::function_of(of_rank, i, round);
    }
    void fill(number round) {
        for (std::size_t i = 0; i < count; ++i)
            mine[i] = element(rank, i, round);
        for (std::size_t i = 0; i < own.size(); ++i)
            own[i] = element(rank, i, round + 50);
        auto to_send = out.local();
        for (std::size_t i = 0; i < to_send.size(); ++i)
            to_send[i] = element(rank, i, round + 60);
        source.fence(); // no rank reads what is there any more
        if (rank == root) {
            auto to_deal = source.all();
            for (std::size_t i = 0; i < to_deal.size(); ++i)
                to_deal[i] = element(root, i, round + 70);
        }
    }

    template <bool IsPersistent>
    auto begin() {
        std::vector<std::conditional_t<IsPersistent, topo::persistent, topo::request>> made;
        namespace hybrid = topo::hybrid;
        const auto chained = topo_test::after_one_another{};
        if constexpr (IsPersistent) {
            made.push_back(hybrid::broadcast_init(levels, mine, spread, root));
            made.push_back(hybrid::all_reduce_init(levels, mine, sum, std::plus<>{}));
            made.push_back(hybrid::all_reduce_init(levels, mine, ordered, chained));
            made.push_back(hybrid::reduce_init(levels, mine, at_root, std::plus<>{}, root));
            made.push_back(hybrid::all_gather_init(levels, mine, all));
            made.push_back(hybrid::all_gatherv_init(levels, own, unequal, counts));
            made.push_back(hybrid::gather_init(levels, mine, gathered, root));
            made.push_back(hybrid::scatter_init(levels, source, dealt, root));
            made.push_back(hybrid::all_to_all_init(levels, out, in));
        } else {
            made.push_back(hybrid::ibroadcast(levels, mine, spread, root));
            made.push_back(hybrid::iall_reduce(levels, mine, sum, std::plus<>{}));
            made.push_back(hybrid::iall_reduce(levels, mine, ordered, chained));
            made.push_back(hybrid::ireduce(levels, mine, at_root, std::plus<>{}, root));
            made.push_back(hybrid::iall_gather(levels, mine, all));
            made.push_back(hybrid::iall_gatherv(levels, own, unequal, counts));
            made.push_back(hybrid::igather(levels, mine, gathered, root));
            made.push_back(hybrid::iscatter(levels, source, dealt, root));
            made.push_back(hybrid::iall_to_all(levels, out, in));
        }
        return made;
    }

    void check(number round, bool shares_with_root) const {
        numbers total(count), in_order(count), everything, short_ones, for_me;
        for (int other = 0; other < size; ++other) {
            for (std::size_t i = 0; i < count; ++i) {
                const number theirs = element(other, i, round);
                total[i] += theirs;
                in_order[i] = other == 0 ? theirs : topo_test::after_one_another{}(in_order[i], theirs);
                everything.push_back(theirs);
                for_me.push_back(element(other, static_cast<std::size_t>(rank) * count + i, round + 60));
            }
            for (std::size_t i = 0; i < length_of(other); ++i)
                short_ones.push_back(element(other, i, round + 50));
        }
        const auto in_window = [](const window& from) { return numbers(from.begin(), from.end()); };
        for (std::size_t i = 0; i < count; ++i) {
            CHECK(spread.all()[i] == element(root, i, round));
            CHECK(dealt[i] == element(root, static_cast<std::size_t>(rank) * count + i, round + 70));
        }
        CHECK(in_window(sum) == total);
        CHECK(in_window(ordered) == in_order);
        CHECK(in_window(all) == everything);
        CHECK(in_window(unequal) == short_ones);
        if (shares_with_root) {
            CHECK(in_window(at_root) == total);
            CHECK(in_window(gathered) == everything);
        }
        CHECK(numbers(in.local().begin(), in.local().end()) == for_me);
    }
};

template <class Waitable>
void wait_in_own_order(std::vector<Waitable>& all, int rank) {
    std::vector<Waitable*> in_order;
    for (auto& each : all)
        in_order.push_back(&each);
    std::shuffle(in_order.begin(), in_order.end(), std::mt19937{static_cast<unsigned>(rank + 1)});
    for (auto* each : in_order)
        each->wait();
}

} // namespace

TEST_CASE("hybrid verbs that do not wait, and prepared ones") {
    const boost::mpi::communicator world;
    for (const auto& each : topo_test::few_scenarios_of_many(world.size())) {
        INFO(each.name);
        const topo::hierarchy levels{world, each.on, each.rule};
        for (const std::size_t count : {std::size_t{1}, std::size_t{130}}) {
            stage on{levels, count};
            int root_is_here = on.spread.comm().rank() >= 0 && world.rank() == on.root ? 1 : 0, is_here = 0;
            MPI_Allreduce(&root_is_here, &is_here, 1, MPI_INT, MPI_MAX, on.spread.comm());
            on.fill(1);
            auto started = on.begin<false>();
            wait_in_own_order(started, world.rank());
            on.check(1, is_here == 1);
            auto prepared = on.begin<true>();
            for (number round = 2; round < 5; ++round) {
                on.fill(round);
                for (auto& one : prepared)
                    one.start();
                if (round == 3)
                    topo::wait_all(prepared);
                else
                    wait_in_own_order(prepared, world.rank());
                on.check(round, is_here == 1);
            }
        }
    }
}

namespace {

void check_going_on(const topo::hierarchy& levels, bool is_over_level) {
    namespace hybrid = topo::hybrid;
    const auto& world = levels.whole();
    const int rank = world.rank(), last = world.size() - 1;
    const auto ranks = static_cast<std::size_t>(world.size());
    const auto make = [&](std::size_t count) {
        return is_over_level ? window{levels[0], count, hybrid::one_copy}
                             : window{levels, count, hybrid::one_copy};
    };
    window sums = make(3), word = make(5), blocks = make(ranks);
    for (const auto across : {hybrid::carriers::roots, hybrid::carriers::lanes}) {
        const hybrid::policy<topo::chain> by{across, hybrid::combining::best, hybrid::meeting::signals};
        const auto call = [&](int which) {
            const numbers mine(5, static_cast<number>(rank)), own(1, static_cast<number>(rank));
            if (which == 0) hybrid::broadcast(levels, mine, word, last, by);
            if (which == 1) hybrid::all_reduce(levels, mine, word, std::plus<>{}, by);
            if (which == 2) hybrid::reduce(levels, mine, word, std::plus<>{}, 0, by);
            if (which == 3) hybrid::all_gather(levels, own, blocks, by);
            if (which == 4) hybrid::gather(levels, own, blocks, 0);
        };
        const auto begin = [&](const numbers& mine) {
            return hybrid::iall_reduce(levels, mine, sums, std::plus<>{}, by);
        };
        const numbers none(3);
        begin(none).wait(); // the first one of each asks others
        for (int which = 0; which < 5; ++which) {
            call(which);
            const numbers mine(3, static_cast<number>(rank + which));
            topo_test::wait_crosswise(
                world, [&] { return begin(mine); }, [&] { call(which); });
            const auto expected = static_cast<number>(world.size() * which + last * world.size() / 2);
            CHECK(numbers(sums.begin(), sums.end()) == numbers(3, expected));
            if (which == 0) CHECK(word.all()[4] == static_cast<number>(last));
            if (which == 3) CHECK(blocks.all()[ranks / 2] == static_cast<number>(ranks / 2));
            word.fence();
        }
    }
}

} // namespace

TEST_CASE("sums that do not wait of elements that ranks wrote into another window") {
    const boost::mpi::communicator world;
    for (const auto& each : topo_test::few_scenarios_of_many(world.size())) {
        INFO(each.name);
        const topo::hierarchy levels{world, each.on, each.rule};
        window operands{levels, 3}, sums{levels, 3, topo::hybrid::one_copy},
            at_root{levels, 3, topo::hybrid::one_copy};
        const window& as_const = operands;
        auto prepared = topo::hybrid::all_reduce_init(levels, operands, sums, std::plus<>{});
        for (int round = 0; round < 3; ++round) {
            std::ranges::fill(operands.local(), static_cast<number>(world.rank() + round));
            if (round == 1) {
                topo::hybrid::iall_reduce(levels, as_const, sums, std::plus<>{}).wait();
            } else {
                prepared.start();
                prepared.wait();
            }
            topo::hybrid::ireduce(levels, operands, at_root, std::plus<>{}, 0).wait();
            const numbers expected(3, static_cast<number>(world.size() * (world.size() - 1 + 2 * round) / 2));
            CHECK(numbers(sums.all().begin(), sums.all().end()) == expected);
            if (world.rank() == 0) CHECK(numbers(at_root.all().begin(), at_root.all().end()) == expected);
        }
    }
}

TEST_CASE("a hybrid verb that waits goes on with what was started") {
    const boost::mpi::communicator world;
    for (const auto& each : topo_test::few_scenarios_of_many(world.size())) {
        INFO(each.name);
        const topo::hierarchy levels{world, each.on, each.rule};
        check_going_on(levels, false);
        const int own = levels.depth();
        int least = 0;
        MPI_Allreduce(&own, &least, 1, MPI_INT, MPI_MIN, world);
        if (least > 0) check_going_on(levels, true);
    }
}

} // namespace hybrid_in_background_tests
