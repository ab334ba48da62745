// SPDX-License-Identifier: BSL-1.0
// Hybrid gather, scatter and all_to_all: from every root, on every machine, against a serial computation; and
// many calls in a row by ranks that come, read and go at random times.
#include "support/check_fails.hpp"
#include "support/collective_calls.hpp"
#include "support/hybrid_calls.hpp"
#include "support/made_up.hpp"
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/all_to_all.hpp>
#include <topomp/hybrid/gather.hpp>
#include <topomp/hybrid/scatter.hpp>
#include <topomp/memory/shared_window.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unistd.h>
#include <vector>

namespace hybrid_blocks_tests {

namespace {

namespace hybrid = topo::hybrid;
using number = std::uint64_t;
using window = topo::shared_window<number>;
using hybrid::meeting;
using topo_test::number_of;

/// Whether a rank is in the calling rank's node. @collective over the whole
bool is_beside(const topo::hierarchy& levels, const window& here, int other) {
    int first = levels.whole().rank();
    MPI_Bcast(&first, 1, MPI_INT, 0, here.comm());
    int of_other = first;
    MPI_Bcast(&of_other, 1, MPI_INT, other, levels.whole());
    return first == of_other;
}

/// Windows for blocks of a length, and calls with them.
struct stage {
    const topo::hierarchy& levels;
    std::size_t count;
    topo_test::complaints& wrong;
    std::string where;
    unsigned longest_delay = 0; ///< microseconds

    int rank = levels.whole().rank(), size = levels.whole().size();
    std::size_t all_elements = count * static_cast<std::size_t>(size);
    window all{levels, all_elements, hybrid::one_copy};
    window source{levels, all_elements};
    window result{levels, all_elements};
    number call = 0;
    topo_test::dice delay{static_cast<std::uint32_t>(rank)};

    void sleep_sometimes() {
        if (longest_delay > 0 && delay.one_in(3))
            usleep(static_cast<unsigned>(delay.up_to(static_cast<int>(longest_delay))));
    }
    void expect(bool is_right, const std::string& what) {
        wrong.expect(is_right, what + " of " + std::to_string(count) + " on " + where);
    }
    /// Element i of a rank's block for another.
    number element(int from, int to, std::size_t i) const { return number_of(from * 1000 + to, i, call); }

    template <class Between>
    void gather(int root, meeting sync, bool reads) {
        ++call;
        std::vector<number> mine(count);
        for (std::size_t i = 0; i < count; ++i)
            mine[i] = element(rank, 0, i);
        sleep_sometimes();
        hybrid::gather(levels, mine, all, root, hybrid::policy<Between>{.sync = sync});
        std::ranges::fill(mine, 0);
        sleep_sometimes();
        if (!reads) return;
        bool is_right = true;
        for (std::size_t i = 0; i < all_elements; ++i)
            is_right = is_right && all.all()[i] == element(static_cast<int>(i / count), 0, i % count);
        expect(is_right, "gather to " + std::to_string(root));
    }

    template <class Between>
    void scatter(int root, meeting sync) {
        ++call;
        all.fence(); // those of the last call have been read
        if (rank == root)
            for (std::size_t i = 0; i < all_elements; ++i)
                all.all()[i] = element(root, static_cast<int>(i / count), i % count);
        std::vector<number> mine(count);
        sleep_sometimes();
        hybrid::scatter(levels, all, mine, root, hybrid::policy<Between>{.sync = sync});
        bool is_right = true;
        for (std::size_t i = 0; i < count; ++i)
            is_right = is_right && mine[i] == element(root, rank, i);
        expect(is_right, "scatter from " + std::to_string(root));
    }

    void all_to_all(meeting sync) {
        ++call;
        for (std::size_t i = 0; i < all_elements; ++i)
            source.local()[i] = element(rank, static_cast<int>(i / count), i % count);
        sleep_sometimes();
        hybrid::all_to_all(levels, source, result, hybrid::policy<>{.sync = sync});
        sleep_sometimes();
        bool is_right = true;
        for (std::size_t i = 0; i < all_elements; ++i)
            is_right = is_right && result.local()[i] == element(static_cast<int>(i / count), rank, i % count);
        expect(is_right, "all_to_all");
    }
};

} // namespace

TEST_CASE("blocks, from every root") {
    const boost::mpi::communicator world;
    topo_test::complaints wrong;
    const bool is_sampled = topo_test::is_watched || topo_test::stride > 1;
    const std::size_t longest = world.size() > 16 ? 97 : topo_test::is_watched ? 301 : 3001;
    for (const auto& made_up : topo_test::few_scenarios_of_many(world.size())) {
        const topo::hierarchy levels{world, made_up.on, made_up.rule};
        for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{13}, longest}) {
            stage on{levels, count, wrong, made_up.name};
            const bool is_long = count == longest;
            const auto roots =
                is_long || is_sampled ? std::vector<int>{world.size() - 1} : topo_test::roots(world.size());
            for (const int root : roots) {
                const bool reads = is_beside(levels, on.all, root);
                on.gather<topo::automatic>(root, meeting::signals, reads);
                on.scatter<topo::automatic>(root, meeting::signals);
                on.gather<topo::flat>(root, meeting::barrier, reads);
                on.scatter<topo::flat>(root, meeting::barrier);
            }
            on.all_to_all(meeting::signals);
            on.all_to_all(meeting::barrier);
        }
    }
    CHECK(wrong.text() == "");
}

TEST_CASE("pieces of what two nodes have for each other") {
    const boost::mpi::communicator world;
    topo_test::complaints wrong;
    // Of uneven nodes; more than five pieces of 1 MiB between two of four ranks.
    const topo::hierarchy levels{world, topo::machine::parse("node:1 core:1; node:2 core:4"),
                                 topo::placement::core_by_core()};
    stage on{levels,
             world.size() > 8 ? std::size_t{200} : std::size_t{topo_test::is_watched ? 20003U : 41003U},
             wrong, "uneven nodes"};
    on.all_to_all(meeting::signals);
    on.all_to_all(meeting::signals);
    CHECK(wrong.text() == "");
}

TEST_CASE("blocks of ranks that come, read and go at random times") {
    const boost::mpi::communicator world;
    topo_test::complaints wrong;
    topo_test::dice order{11}; // the same on all ranks
    for (const auto& made_up : topo_test::few_scenarios_of_many(world.size())) {
        const topo::hierarchy levels{world, made_up.on, made_up.rule};
        stage on{levels, 1 + static_cast<std::size_t>(order.up_to(40)), wrong, made_up.name, 300};
        std::vector<bool> is_near;
        for (int root = 0; root < world.size(); ++root)
            is_near.push_back(is_beside(levels, on.all, root));
        const int calls =
            world.size() > 16 ? 2 : (topo_test::is_watched ? 30 : 120) / static_cast<int>(topo_test::stride);
        for (int i = 0; i < calls; ++i) {
            const int verb = order.up_to(2), root = order.up_to(world.size() - 1);
            const auto sync = order.one_in(4) ? meeting::barrier : meeting::signals;
            if (verb == 0) on.gather<topo::automatic>(root, sync, is_near[static_cast<std::size_t>(root)]);
            if (verb == 1) on.scatter<topo::automatic>(root, sync);
            if (verb == 2) on.all_to_all(sync);
        }
    }
    CHECK(wrong.text() == "");
}

TEST_CASE("only the root's node needs memory to gather") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world, topo::machine::parse("node:2 core:2"),
                                 topo::placement::round_robin()};
    const window here{levels, 1};
    const int root = world.size() - 1;
    const bool is_near = is_beside(levels, here, root);
    window all{levels, is_near ? world.size() : 0, hybrid::one_copy};
    const std::vector<number> mine{static_cast<number>(world.rank()) + 5};
    hybrid::gather(levels, mine, all, root);
    CHECK(all.size() == (is_near ? static_cast<std::size_t>(world.size()) : 0U));
    for (std::size_t i = 0; i < all.size(); ++i)
        CHECK(all.all()[i] == i + 5);
    std::vector<number> again(1);
    hybrid::scatter(levels, all, again, root);
    CHECK(again == mine);
}

TEST_CASE("blocks that do not fit are refused") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world, topo::machine::parse("node:2 core:4"),
                                 topo::placement::core_by_core()};
    const auto ranks = static_cast<std::size_t>(world.size());
    window all{levels, 3 * ranks + 1, hybrid::one_copy}, source{levels, ranks}, result{levels, 2 * ranks};
    std::vector<number> three(3);
    using topo_test::check_fails;
    check_fails<topo::argument_error>([&] { hybrid::gather(levels, three, all, world.size()); },
                                      {"topo::hybrid::gather"});
    check_fails<topo::argument_error>([&] { hybrid::all_to_all(levels, source, result); },
                                      {"topo::hybrid::all_to_all", "result"});
    check_fails<topo::argument_error>([&] { hybrid::all_to_all(levels, source, source); },
                                      {"topo::hybrid::all_to_all", "another window"});
    const topo::hierarchy one{world, topo::machine::parse("node:1 core:64"), topo::placement::core_by_core()};
    window too_long{one, 3 * ranks + 1, hybrid::one_copy};
    if (too_long.comm().size() == world.size()) { // all are in the root's node
        check_fails<topo::argument_error>([&] { hybrid::gather(one, three, too_long, 0); },
                                          {"topo::hybrid::gather", "window"});
        check_fails<topo::argument_error>([&] { hybrid::scatter(one, too_long, three, 0); },
                                          {"topo::hybrid::scatter", "window"});
    }
}

} // namespace hybrid_blocks_tests
