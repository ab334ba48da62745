// SPDX-License-Identifier: BSL-1.0
// The algorithm through shared memory: right on every machine, in every length at which it goes another way,
// for types with gaps and operations that do not commute, call after call without anybody waiting between.
#include "support/collective_calls.hpp"
#include "support/collective_policies.hpp"
#include "support/joining.hpp"
#include "support/kept_hierarchy.hpp"
#include "support/verb_checks.hpp"
#include <topomp/algorithm/shared.hpp>
#include <topomp/collective/all_to_all.hpp>
#include <topomp/collective/gather.hpp>
#include <topomp/collective/scatter.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/detail/oversubscription.hpp>
#include <topomp/memory/shared_window.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace shared_tests {

using topo_test::call, topo_test::check_all_reduce, topo_test::check_broadcast, topo_test::complaints;

namespace {

using topo::kind, topo::hierarchical, topo::mpi_calls, topo::otherwise, topo::within;
using inside = hierarchical<within<kind::machine, topo::shared>, otherwise<mpi_calls>>;
using everywhere = hierarchical<otherwise<topo::shared>>;

topo::hierarchy one_node(const boost::mpi::communicator& world) {
    return {world, topo::machine::parse("node:1 core:64"), topo::placement::core_by_core()};
}

/// Numbers of 8 bytes: beside a signal, in one chunk, too many for every rank to combine, in more than one
/// cell, for one copy by the kernel, in more pieces than there are cells.
std::vector<std::size_t> lengths(const boost::mpi::communicator& world) {
    std::vector<std::size_t> all{0, 1, 15, 16, 17, 512, 513, 4095, 4097, 40001};
    if (world.size() <= 8) all.push_back(100003);
    return all;
}

} // namespace

TEST_CASE("on every machine, within machines and in every level") {
    const boost::mpi::communicator world;
    const topo_test::joining<topo_test::word> words{&topo_test::word_of};
    std::uint64_t calls = 0;
    for (const auto& by : {topo_test::verbs_by<inside>("shared within machines"),
                           topo_test::verbs_by<everywhere>("shared in every level")})
        for (const auto& each : topo_test::few_scenarios_of_many(world.size())) {
            const topo::hierarchy levels = topo_test::hierarchy_on(world, each);
            complaints wrong;
            for (const std::size_t count : topo_test::counts) {
                for (const int root : topo_test::roots(world.size())) {
                    const call now{levels, by, root, count, ++calls, wrong};
                    if (calls % topo_test::sampling(world) != 0) continue;
                    check_broadcast(now);
                    check_reduce(now);
                    check_reduce_in_place(now);
                }
                check_all_reduce({levels, by, 0, count, ++calls, wrong});
            }
            if (topo_test::stride == 1) words.check(levels, by, 3, wrong);
            by.barrier(levels);
            INFO(each.name << ", " << by.name << ": " << wrong.text());
            CHECK(wrong.text().empty());
        }
}

TEST_CASE("in every length, with operands in the order of ranks") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels = one_node(world);
    const auto by = topo_test::verbs_by<inside>("shared");
    using topo::copies, topo::shared_by;
    const auto by_kernel =
        topo_test::verbs_by<hierarchical<otherwise<shared_by<copies::by_kernel>>>>("kernel's copies");
    const auto in_chunks =
        topo_test::verbs_by<hierarchical<otherwise<shared_by<copies::in_chunks>>>>("chunks");
    const topo_test::joining<topo_test::word> words{&topo_test::word_of};
    const topo_test::joining<topo_test::affine> maps{&topo_test::affine_of};
    complaints wrong;
    std::uint64_t calls = 0;
    for (const std::size_t count : lengths(world)) {
        for (const int root : {0, world.size() - 1}) {
            const call now{levels, by, root, count, ++calls, wrong};
            check_broadcast(now);
            check_broadcast({levels, by_kernel, root, count, ++calls, wrong});
            check_broadcast({levels, in_chunks, root, count, ++calls, wrong});
            check_reduce(now);
            check_reduce_in_place(now);
            check_all_reduce(now);
        }
        if (count > 5000) continue;
        maps.check(levels, by, count, wrong);
        if (count < 600 && world.size() <= 16) words.check(levels, by, count, wrong); // of 72 bytes
    }
    topo::broadcast(levels, topo::message{nullptr, 0, MPI_INT}, 0, inside{}); // nothing has no address
    topo::all_reduce(levels, nullptr, topo::message{nullptr, 0, MPI_INT}, MPI_SUM, inside{});
    INFO(wrong.text());
    CHECK(wrong.text().empty());
}

TEST_CASE("types with gaps keep what is in them") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels = one_node(world);
    // Every other number, and the first of pairs whose second the operation does not see.
    for (const int count : {0, 1, 3, 40, 700, 9000}) {
        MPI_Datatype strided = MPI_DATATYPE_NULL;
        MPI_Type_vector(count, 1, 2, MPI_UINT64_T, &strided);
        MPI_Type_commit(&strided);
        std::vector<std::uint64_t> buffer(2 * static_cast<std::size_t>(count) + 1, 7);
        const int root = world.size() - 1;
        if (world.rank() == root)
            for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
                buffer[2 * i] = i;
        topo::broadcast(levels, topo::message{buffer.data(), 1, strided}, root, inside{});
        bool is_right = true;
        for (std::size_t i = 0; i < buffer.size(); ++i)
            is_right = is_right && buffer[i] == (i % 2 == 0 && i + 1 < buffer.size() ? i / 2 : 7);
        CHECK(is_right);
        MPI_Type_free(&strided);

        struct pair {
            double value;
            int place;
        };
        std::vector<pair> places(static_cast<std::size_t>(count)), least = places;
        for (std::size_t i = 0; i < places.size(); ++i)
            places[i] = {static_cast<double>((static_cast<int>(i) + world.rank()) % world.size()),
                         world.rank()};
        topo::all_reduce(levels, places.data(), topo::message{least.data(), least.size(), MPI_DOUBLE_INT},
                         MPI_MINLOC, inside{});
        for (std::size_t i = 0; i < least.size(); ++i) {
            const int holder = (world.size() - static_cast<int>(i) % world.size()) % world.size();
            is_right = is_right && least[i].value == 0 && least[i].place == holder;
        }
        CHECK(is_right);
    }
}

TEST_CASE("blocks so long that the kernel copies them, with gaps on some ranks") {
    const boost::mpi::communicator world;
    if (world.size() > 8) return; // each rank has one for each other
    const topo::hierarchy levels = one_node(world);
    const int me = world.rank(), ranks = world.size();
    MPI_Datatype sparse = MPI_DATATYPE_NULL; // an int and room for one more
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &sparse);
    MPI_Type_commit(&sparse);
    const bool is_sparse = me % 3 == 1;
    const std::size_t step = is_sparse ? 2 : 1;
    const MPI_Datatype type = is_sparse ? sparse : MPI_INT;
    constexpr int gap = -7;
    // One for each of `number` ranks, of `count` elements with what `value(rank, i)` says.
    const auto filled = [&](int number, std::size_t count, auto value) {
        std::vector<int> all(static_cast<std::size_t>(number) * count * step, gap);
        for (int rank = 0; rank < number; ++rank)
            for (std::size_t i = 0; i < count; ++i)
                all[(static_cast<std::size_t>(rank) * count + i) * step] = value(rank, i);
        return all;
    };
    const auto value = [](int from, int to, std::size_t i) {
        return from * 1000 + to * 10000 + static_cast<int>(i % 997);
    };
    for (const std::size_t count : {9001U, 40003U, 70001U}) {
        INFO(count << " elements");
        auto source = filled(ranks, count, [&](int to, std::size_t i) { return value(me, to, i); });
        const auto received =
            filled(ranks, count, [&](int from, std::size_t i) { return value(from, me, i); });
        auto result = filled(ranks, count, [](int, std::size_t) { return gap; });
        topo::all_to_all(levels, {source.data(), type, count}, {result.data(), type, count}, topo::shared{});
        CHECK(result == received);
        for (const int root : {0, ranks - 1}) {
            INFO("root " << root);
            auto mine = filled(1, count, [](int, std::size_t) { return gap; });
            topo::scatter(levels, {source.data(), type, count}, {mine.data(), count, type}, root,
                          topo::shared{});
            CHECK(mine == filled(1, count, [&](int, std::size_t i) { return value(root, me, i); }));
            auto own = filled(1, count, [&](int, std::size_t i) { return value(me, root, i); });
            auto all = filled(ranks, count, [](int, std::size_t) { return gap; });
            topo::gather(levels, {own.data(), count, type}, {all.data(), type, count}, root, topo::shared{});
            if (me == root)
                CHECK(all == received);
            else
                CHECK(all == filled(ranks, count, [](int, std::size_t) { return gap; }));
        }
    }
    MPI_Type_free(&sparse);
}

TEST_CASE("calls of all kinds follow each other, whichever rank is late") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels = one_node(world);
    const std::array<std::size_t, 6> some{1, 14, 300, 700, 5000, 20000};
    topo_test::dice same{11};
    const auto by = topo_test::verbs_by<inside>("shared");
    complaints wrong;
    const int rounds = 600 / static_cast<int>(topo_test::stride) / (world.size() > 16 ? 4 : 1);
    for (int round = 0; round < rounds; ++round) {
        const std::size_t count = some.at(static_cast<std::size_t>(same.up_to(round % 10 == 0 ? 5 : 2)));
        const call now{levels, by, same.up_to(world.size() - 1), count, static_cast<std::uint64_t>(round),
                       wrong};
        switch (same.up_to(3)) {
        case 0:
            check_broadcast(now);
            break;
        case 1:
            check_reduce(now);
            break;
        case 2:
            check_all_reduce(now);
            break;
        default:
            by.barrier(levels);
        }
    }
    INFO(wrong.text());
    CHECK(wrong.text().empty());
}

TEST_CASE("messages of a node and windows have one MPI window together") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels = one_node(world);
    long number = world.rank() == 0 ? 7 : 0;
    topo::broadcast(levels, number, 0, inside{});
    CHECK(number == 7);
    // Alone, a rank signals to no other; and the node may be played on several hosts.
    const bool is_one_host = topo::arena::of(levels).comm().size() == world.size();
    CHECK(topo::arena::of(levels).windows() == (world.size() > 1 && is_one_host ? 1U : 0U));
    const topo::shared_window<long> window{levels, 1000};
    CHECK(topo::arena::of(levels).windows() == 1);
}

TEST_CASE("what is known of oversubscribed nodes is the same everywhere") {
    const boost::mpi::communicator world;
    for (const auto& each : topo_test::few_scenarios_of_many(world.size())) {
        const topo::hierarchy levels = topo_test::hierarchy_on(world, each);
        const auto& nodes = topo::detail::oversubscription::of(levels);
        const int mine = (nodes.shares_memory ? 1 : 0) + (nodes.is_oversubscribed ? 2 : 0);
        int of_first = mine;
        MPI_Bcast(&of_first, 1, MPI_INT, 0, world);
        CHECK(mine == of_first);
        bool is_together = false; // with another rank of the own node
        for (const topo::level& level : levels)
            is_together = is_together || (level.is(kind::machine) && level.size() > 1);
        if (levels.whole_info().is(kind::machine)) is_together = world.size() > 1;
        if (is_together && topo::arena::of(levels).comm().size() > 1) CHECK(nodes.shares_memory);
    }
}

TEST_CASE("a barrier holds back a rank that is early") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels = one_node(world);
    topo::shared_window<int> rounds{levels, 1};
    bool is_right = true;
    for (int round = 1; round <= 50; ++round) {
        rounds.local().front() = round;
        topo::barrier(levels, inside{});
        for (const int each : rounds)
            is_right = is_right && each == round;
        topo::barrier(levels, inside{});
    }
    CHECK(is_right);
}

} // namespace shared_tests
