// SPDX-License-Identifier: BSL-1.0
// Shared windows on made-up machines and the real one: what ranks write, all ranks of the node read, whatever
// the layout; memory comes from one MPI window, is used again and goes back; mistakes are found by all.
#include "support/check_fails.hpp"
#include "support/made_up.hpp"
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/split.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/shared_window.hpp>

#include <boost/mpi/communicator.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <sys/mman.h>
#include <type_traits>
#include <utility>
#include <vector>

namespace shared_window_tests {

using topo::shared_window, topo::window_blocks, topo::window_options, topo::window_packing;
using topo_test::check_fails;

namespace {

/// Not a power of two long, so that elements cross every border.
struct triple {
    std::uint32_t a, b, c;
    friend bool operator==(const triple&, const triple&) = default;
};

triple value(int rank, std::size_t index, int call) {
    return {static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(index),
            static_cast<std::uint32_t>(call)};
}

/// How many elements a rank asks for: none, one, some, more than pages.
std::size_t wish(int rank, int call) {
    constexpr std::size_t wishes[] = {0, 1, 37, 4099};
    return wishes[static_cast<std::size_t>(rank + call) % 4];
}

bool is_zero(const triple& each) { return each == triple{}; }

/// Every rank writes what it owns and reads everything, twice. @return what was wrong
template <class Window>
std::string check_use(Window& window, const std::vector<std::size_t>& counts, int call) {
    std::string wrong;
    const int size = window.comm().size();
    if (!std::ranges::all_of(window.local(), is_zero)) wrong += "not zero at the beginning; ";
    std::size_t sum = 0;
    for (int rank = 0; rank < size; ++rank) {
        sum += window.of(rank).size();
        if (!counts.empty() && window.of(rank).size() != counts[static_cast<std::size_t>(rank)])
            wrong += "block of another length; ";
    }
    if (sum != window.size()) wrong += "not the sum of blocks; ";
    for (int again = 0; again < 2; ++again) {
        auto mine = window.local();
        for (std::size_t i = 0; i < mine.size(); ++i)
            mine[i] = value(window.rank(), i, call + again);
        window.fence();
        for (int rank = 0; rank < size; ++rank) {
            const auto theirs = std::as_const(window).of(rank);
            for (std::size_t i = 0; i < theirs.size(); ++i)
                if (theirs[i] != value(rank, i, call + again)) {
                    wrong += "other elements of a rank; ";
                    break;
                }
        }
        window.fence();
    }
    return wrong;
}

std::vector<std::size_t> wishes_of(const boost::mpi::communicator& comm, std::size_t mine) {
    std::vector<std::size_t> all(static_cast<std::size_t>(comm.size()));
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, comm);
    return all;
}

template <class Where>
std::string check_layouts(const Where& where, const boost::mpi::communicator& of, int call) {
    std::string wrong;
    const std::size_t count = wish(of.rank(), call);
    {
        shared_window<triple> window{where, count};
        wrong += check_use(window, wishes_of(window.comm(), count), call);
        const auto all = window.all();
        if (all.data() != window.of(0).data() || all.size() != window.size()) wrong += "all; ";
        if (static_cast<std::size_t>(std::distance(window.begin(), window.end())) != all.size())
            wrong += "range; ";
    }
    {
        shared_window<triple> window{where, count,
                                     window_options{.packing = window_packing::aligned, .alignment = 128}};
        wrong += check_use(window, wishes_of(window.comm(), count), call);
        if (reinterpret_cast<std::uintptr_t>(window.local().data()) % 128 != 0) wrong += "alignment; ";
    }
    const std::size_t same = wish(0, call);
    {
        shared_window<triple> window{where, same, window_options{.blocks = window_blocks::of_root}};
        std::vector<std::size_t> counts(static_cast<std::size_t>(window.comm().size()));
        counts.front() = same;
        wrong += check_use(window, counts, call);
        if (window.size() != same) wrong += "size of the root's block; ";
    }
    {
        shared_window<triple> window{where, 10 * same, window_options{.blocks = window_blocks::spread}};
        wrong += check_use(window, {}, call);
        if (window.size() != 10 * same || window.all().size() != 10 * same) wrong += "size of one block; ";
    }
    return wrong;
}

bool shares_memory(const topo::level& where) {
    MPI_Comm shared = MPI_COMM_NULL;
    MPI_Comm_split_type(where.comm(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &shared);
    int size = 0, least = 0;
    MPI_Comm_size(shared, &size);
    MPI_Comm_free(&shared);
    MPI_Allreduce(&size, &least, 1, MPI_INT, MPI_MIN, where.comm());
    return least == where.size();
}

topo::hierarchy one_node(const boost::mpi::communicator& world) {
    return {world, topo::machine::parse("node:1 core:64"), topo::placement::core_by_core()};
}

} // namespace

TEST_CASE("a window is no more than its memory") {
    static_assert(std::is_nothrow_move_constructible_v<shared_window<int>>);
    static_assert(std::is_nothrow_move_assignable_v<shared_window<int>>);
    static_assert(!std::is_copy_constructible_v<shared_window<int>>);
    static_assert(!std::is_copy_assignable_v<shared_window<int>>);
    static_assert(
        std::is_same_v<decltype(std::declval<const shared_window<int>&>().all()), std::span<const int>>);
    CHECK(true);
}

TEST_CASE("over a hierarchy and over each of its levels") {
    const boost::mpi::communicator world;
    const auto all = topo_test::few_scenarios_of_many(world.size());
    for (std::size_t i = 0; i <= all.size(); ++i) {
        const topo::hierarchy levels =
            i == 0 ? topo::hierarchy{world} : topo::hierarchy{world, all[i - 1].on, all[i - 1].rule};
        std::string wrong = check_layouts(levels, levels.whole(), static_cast<int>(i));
        for (const topo::level& each : levels) {
            if (shares_memory(each))
                wrong += check_layouts(each, each.comm(), static_cast<int>(i) + each.depth() + 1);
            else
                check_fails<topo::argument_error>(
                    [&] {
                        shared_window<int>{each, 1};
                    },
                    {"topo::shared_window", each.name(), "several hosts"});
        }
        INFO(i << ": " << wrong);
        CHECK(wrong.empty());
    }
}

TEST_CASE("the ranks of one node have one window, and its name") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world, topo::machine::parse("node:2 core:8"),
                                 topo::placement::round_robin()};
    const topo::level* const node = levels.find(topo::kind::machine);
    const shared_window<int> window{levels, 1};
    if (node != nullptr) CHECK(window.comm().size() <= node->size());
    if (node != nullptr && shares_memory(*node)) CHECK(window.comm().size() == node->size());
}

TEST_CASE("a thousand windows cost one of MPI's; ten thousand that come and go cost no memory") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels = one_node(world);
    const bool is_slow = world.size() > 4 || topo_test::is_watched;
    const auto few = static_cast<int>(topo_test::stride) * (is_slow ? 8 : 1) * (world.size() > 16 ? 4 : 1);
    {
        std::vector<shared_window<double>> many;
        for (int i = 0; i < 1000 / few; ++i) {
            many.emplace_back(levels, 100);
            many.back().local().front() = i;
        }
        many.front().fence();
        bool is_right = true;
        for (int i = 0; i < 1000 / few; ++i)
            for (int rank = 0; rank < many.front().comm().size(); ++rank)
                is_right = is_right && many[static_cast<std::size_t>(i)].of(rank).front() == i;
        CHECK(is_right);
        CHECK(topo::arena::of(levels).windows() == 1);
        many.front().fence();
        std::ranges::reverse(many);
        if (world.rank() % 2 == 0) many.clear(); // others free them in another order
    }
    const std::size_t bytes = topo::arena::of(levels).bytes();
    bool is_right = true;
    for (int i = 0; i < 10000 / few; ++i) {
        shared_window<int> window{levels, 1 + i % 3000};
        is_right = is_right && window.local().back() == 0;
        window.local().back() = i + 1;
    }
    CHECK(is_right);
    CHECK(topo::arena::of(levels).windows() == 1);
    CHECK(topo::arena::of(levels).bytes() == bytes);
}

TEST_CASE("an arena grows for what does not fit, and uses again what was freed in any order") {
    const boost::mpi::communicator world;
    if (world.size() > 8) return; // the simulator's ranks fill all of it one after the other
    const topo::hierarchy levels = one_node(world);
    topo::arena& arena = topo::arena::of(levels);
    const auto share =
        (std::size_t{40} << 20) / sizeof(std::uint64_t) / static_cast<std::size_t>(arena.comm().size());
    std::optional<shared_window<std::uint64_t>> first{std::in_place, levels, share};
    std::optional<shared_window<std::uint64_t>> second{std::in_place, levels, share};
    CHECK(arena.windows() == 2);
    first->local().back() = 1;
    second->local().back() = 2;
    first->fence();
    if (world.rank() % 2 == 0) first.reset();
    second.reset();
    first.reset();
    for (int again = 0; again < 5; ++again) {
        const shared_window<std::uint64_t> next{levels, share};
        CHECK(next.local().back() == 0);
    }
    CHECK(arena.windows() == 2);
}

#ifndef SMPI_H // whose windows are not in files
TEST_CASE("the last rank that frees a window gives its pages back, whichever it is") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels = one_node(world);
    constexpr std::size_t bytes = std::size_t{1} << 21;
    const auto pages_of = [](const std::byte* begin, std::size_t length) { // in memory now
        constexpr std::size_t page = 4096;
        std::vector<unsigned char> is_there(length / page);
        const auto aligned = reinterpret_cast<std::uintptr_t>(begin) / page * page;
        CHECK(mincore(reinterpret_cast<void*>(aligned), length, is_there.data()) == 0);
        return std::ranges::count_if(is_there, [](unsigned char each) { return (each & 1U) != 0; });
    };
    const auto& node = topo::arena::of(levels).comm();
    for (int call = 0; call < world.size(); ++call) {
        const int last = call % node.size();
        std::optional<shared_window<std::byte>> window{std::in_place, levels, bytes};
        const std::byte* const begin = window->local().data();
        std::ranges::fill(window->local(), std::byte{1});
        window->fence();
        CHECK(pages_of(begin, bytes) == bytes / 4096);
        if (node.rank() != last) window.reset();
        MPI_Barrier(node);
        if (node.rank() == last) {
            CHECK(std::ranges::count(window->all(), std::byte{1}) == std::ssize(window->all()));
            window.reset();
        }
        MPI_Barrier(node);
        CHECK(pages_of(begin, bytes) <= 1); // the last one may begin outside the window
    }
}
#endif

TEST_CASE("a window outlives the level and the hierarchy that it was made of") {
    const boost::mpi::communicator world;
    std::optional<shared_window<int>> of_tree, of_level;
    {
        const topo::hierarchy levels = one_node(world);
        of_tree.emplace(levels, 1);
        const auto inside = topo::split(world, topo::kind::machine);
        REQUIRE(inside);
        of_level.emplace(*inside, 1);
    }
    for (auto* window : {&*of_tree, &*of_level}) {
        window->local().front() = window->rank();
        window->fence();
        CHECK(window->all().back() == window->comm().size() - 1);
        window->fence();
        shared_window<int> moved = std::move(*window);
        CHECK(moved.size() == static_cast<std::size_t>(moved.comm().size()));
        check_fails<topo::usage_error>([&] { window->fence(); },
                                       {"topo::shared_window::fence", "moved from"});
        *window = std::move(moved);
        window->fence();
    }
}

TEST_CASE("where pages lie") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels = one_node(world);
    constexpr std::size_t pages = 5;
    const shared_window<std::byte> window{
        levels, pages * 4096, window_options{.packing = window_packing::aligned, .alignment = 4096}};
    const auto shares = window.numa_shares_of(window.rank());
    std::size_t sum = 0;
    for (const auto& each : shares)
        sum += each.pages;
    CHECK((shares.empty() || sum == pages));
    const shared_window<std::byte> nothing{levels, 0};
    CHECK(nothing.numa_shares_of(0).empty());
    const shared_window<std::byte> huge{levels, 1 << 20, window_options{.pages = topo::window_pages::huge}};
    CHECK(huge.local().back() == std::byte{0});
}

TEST_CASE(
    "windows of several pages begin where copies to arrays, at a page or 16 bytes behind one, are not slow") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels = one_node(world);
    const auto place = [](const shared_window<double>& window) {
        return reinterpret_cast<std::uintptr_t>(window.all().data()) % 4096;
    };
    constexpr std::size_t count = 3000;
    CHECK(place({levels, count}) == 64);
    CHECK(place({levels, count, window_options{.blocks = window_blocks::spread}}) == 64);
    CHECK(place({levels, count, window_options{.blocks = window_blocks::of_root, .alignment = 4096}}) == 0);
}

TEST_CASE("mistakes are found on every rank") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels = one_node(world);
    const bool is_last = world.rank() == world.size() - 1;
    check_fails<topo::argument_error>(
        [&] {
            shared_window<int>{levels, is_last ? -1 : 5};
        },
        {"topo::shared_window", "negative"});
    constexpr auto most = std::numeric_limits<std::size_t>::max() / 2;
    check_fails<topo::argument_error>(
        [&] {
            shared_window<double>{levels, most};
        },
        {"topo::shared_window", "more bytes than memory can hold"});
    check_fails<topo::argument_error>(
        [&] {
            shared_window<char>{levels, 2 * most + 1};
        },
        {"topo::shared_window", "too large"});
    check_fails<topo::system_error>(
        [&] {
            shared_window<char>{levels, std::size_t{1} << 45};
        },
        {"topo::shared_window", "TiB", "the memory has", "left"});
    check_fails<topo::argument_error>(
        [&] {
            shared_window<char>{levels, 1, window_options{.alignment = 48}};
        },
        {"topo::shared_window", "48", "power of two"});
    check_fails<topo::argument_error>(
        [&] {
            shared_window<char>{levels, 1, window_options{.alignment = 8192}};
        },
        {"8192", "at most a page"});
    shared_window<int> window{levels, 1};
    check_fails<topo::argument_error>([&] { static_cast<void>(window.of(-1)); },
                                      {"topo::shared_window::of", "no rank -1"});
    check_fails<topo::argument_error>([&] { static_cast<void>(window.of(window.comm().size())); },
                                      {"topo::shared_window::of", "no rank"});
    const shared_window<int> gaps{levels, 1, window_options{.packing = window_packing::aligned}};
    check_fails<topo::usage_error>([&] { static_cast<void>(gaps.all()); },
                                   {"topo::shared_window::all", "of(rank)"});
    if (window.comm().size() < world.size() || world.size() == 1) return; // several hosts
    const window_options one_block{.blocks = window_blocks::of_root};
    check_fails<topo::argument_error>(
        [&] {
            shared_window<int>{levels, is_last ? 4 : 5, one_block};
        },
        {"topo::shared_window", "4 elements", "one block"});
    check_fails<topo::argument_error>(
        [&] {
            if (is_last)
                shared_window<char>{levels, 1};
            else
                shared_window<int>{levels, 1};
        },
        {"topo::shared_window", "another window than rank 0"});
    window.local().front() = 7; // and all goes on
    window.fence();
    CHECK(std::ranges::all_of(window, [](int each) { return each == 7; }));
}

} // namespace shared_window_tests
