// SPDX-License-Identifier: BSL-1.0
// All_reduces by posts, in groups of so few ranks that few ranks have several stages, and in slices.
#include "support/joining.hpp"
#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/algorithm/shared/posted_all_reduce.hpp>
#include <topomp/algorithm/shared/posted_operation.hpp>
#include <topomp/algorithm/shared/posted_slices.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/arena.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <cstddef>
#include <initializer_list>
#include <vector>

namespace posted_all_reduce_tests {

namespace {

using maps = std::vector<topo_test::affine>;

/// What all ranks of a communicator give in a round, in rank order.
maps of_all(const boost::mpi::communicator& ranks, std::size_t count, int round) {
    maps result;
    for (std::size_t i = 0; i < count; ++i) {
        result.push_back(topo_test::affine_of(0, i + static_cast<std::size_t>(round)));
        for (int rank = 1; rank < ranks.size(); ++rank)
            result.back() =
                join(result.back(), topo_test::affine_of(rank, i + static_cast<std::size_t>(round)));
    }
    return result;
}

/// Operands of the types that do not commute, on the ranks that share memory.
struct node {
    const topo_test::joining<topo_test::affine> type{&topo_test::affine_of};
    const topo::hierarchy levels{boost::mpi::communicator{}, topo::machine::parse("node:2 core:4"),
                                 topo::placement::core_by_core()};
    topo::arena& memory = topo::arena::of(levels);
    topo::detail::in_flight& running = topo::detail::in_flight::of(levels);

    topo::message message_of(maps& values) const { return {values.data(), values.size(), type.type()}; }

    /// Several times, with other operands each time.
    template <class Element, class Give, class Expect>
    void check(topo::detail::posted_operation& op, std::vector<Element>& mine,
               const std::vector<Element>& result, Give give, Expect expect) {
        const auto run = [&] {
            running.begin(op);
            running.wait(op);
            running.remove(op);
        };
        for (int round = 0; round < 5; ++round) {
            for (std::size_t i = 0; i < mine.size(); ++i)
                mine[i] = give(memory.comm().rank(), i + static_cast<std::size_t>(round));
            op.start();
            run();
            if (op.own_part()) {
                op.hand_out();
                run();
            }
            CHECK(result == expect(round));
        }
    }
    void check(topo::detail::posted_operation& op, maps& mine, const maps& result) {
        check(op, mine, result, &topo_test::affine_of,
              [&](int round) { return of_all(memory.comm(), result.size(), round); });
    }
};

} // namespace

TEST_CASE("operands that do not commute, in groups of two, three and all ranks") {
    node ranks;
    for (const bool is_all : {true, false})
        for (const int group : {2, 3, topo::detail::posted_all_reduce::most_of_group})
            for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{100}}) {
                INFO("groups of " << group << ", " << count
                                  << " elements, rank 0 alone has the sum first: " << !is_all);
                maps mine(count), result(count);
                topo::detail::posted_all_reduce op{ranks.memory,    mine.data(), ranks.message_of(result),
                                                   ranks.type.op(), is_all,      group};
                ranks.check(op, mine, result);
            }
}

TEST_CASE("operands that do not commute, in slices and pieces, also in place") {
    node ranks;
    for (const std::size_t count : std::initializer_list<std::size_t>{0, 1, 7, 100, 4000, 50000}) {
        INFO(count << " elements");
        maps mine(count), result(count), both(count);
        topo::detail::posted_slices op{ranks.memory, mine.data(), ranks.message_of(result), ranks.type.op(),
                                       0};
        ranks.check(op, mine, result);
        topo::detail::posted_slices in_place{ranks.memory, both.data(), ranks.message_of(both),
                                             ranks.type.op(), 0};
        ranks.check(in_place, both, both);
    }
}

TEST_CASE("sums whose parts few ranks hand out, as many as combine slices, or nobody; also in place") {
    node ranks;
    const int all = ranks.memory.comm().size();
    const auto give = [](int rank, std::size_t i) { return (rank + 2) * static_cast<int>(i % 1000 + 1); };
    for (const int parts : {0, 1, 2, all})
        for (const std::size_t count : std::initializer_list<std::size_t>{0, 1, 7, 100, 4000, 70001}) {
            if (parts > all || (parts > 0 && count > 4000)) continue;
            INFO(count << " elements in " << parts << " parts");
            const auto expect = [&](int round) {
                std::vector<int> sums(count);
                for (std::size_t i = 0; i < count; ++i)
                    for (int rank = 0; rank < all; ++rank)
                        sums[i] += give(rank, i + static_cast<std::size_t>(round));
                return sums;
            };
            std::vector<int> mine(count), result(count), both(count);
            topo::detail::posted_slices op{
                ranks.memory, mine.data(), {result.data(), count, MPI_INT}, MPI_SUM, parts};
            ranks.check(op, mine, result, give, expect);
            topo::detail::posted_slices in_place{
                ranks.memory, both.data(), {both.data(), count, MPI_INT}, MPI_SUM, parts};
            ranks.check(in_place, both, both, give, expect);
        }
}

TEST_CASE("slices are for dense types, and not for messages that caches do not hold") {
    using slices = topo::detail::posted_slices;
    const auto doubles = [](std::size_t bytes) { return topo::message{nullptr, bytes / 8, MPI_DOUBLE}; };
    CHECK(slices::takes(doubles(slices::longest), 16, false));
    CHECK_FALSE(slices::takes(doubles(slices::longest), 17, false));
    CHECK_FALSE(slices::takes(doubles(slices::longest + 8), 2, false));
    CHECK(slices::takes(doubles(100 * slices::longest), 17, true)); // in pieces
    MPI_Datatype with_gaps = MPI_DATATYPE_NULL;
    MPI_Type_create_resized(MPI_DOUBLE, 0, 16, &with_gaps);
    MPI_Type_commit(&with_gaps);
    CHECK_FALSE(slices::takes({nullptr, 1, with_gaps}, 2, true));
    MPI_Type_free(&with_gaps);
    CHECK(slices::parts_of(doubles(0), 16) == 1);
    CHECK(slices::parts_of(doubles(3 * slices::least_part), 16) == 3);
    CHECK(slices::parts_of(doubles(slices::longest), 16) == 16);
}

} // namespace posted_all_reduce_tests
