// SPDX-License-Identifier: BSL-1.0
// Where blocks of a window lie, who touches which page first, and which parts of an arena are taken: played
// without memory.
#include <topomp/memory/detail/block_list.hpp>
#include <topomp/memory/detail/free_space.hpp>
#include <topomp/memory/detail/window_layout.hpp>
#include <topomp/memory/numa_share.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

namespace window_layout_tests {

using topo::detail::block_list, topo::detail::blocks_of_each, topo::detail::first_touched,
    topo::detail::page_bytes, topo::detail::spread_blocks, topo::detail::window_layout;

namespace {

/// Every byte is touched by one rank, every page by one, and a rank's whole pages by itself.
void check_touches(const window_layout& layout, std::size_t element, std::size_t page_offset) {
    std::vector<int> owners(layout.bytes, -1);
    for (std::size_t rank = 0; rank < layout.blocks.size(); ++rank) {
        const auto [begin, end] = first_touched(layout, rank, page_offset);
        REQUIRE(begin <= end);
        REQUIRE(end <= layout.bytes);
        for (std::size_t at = begin; at < end; ++at) {
            if (owners[at] != -1) FAIL_CHECK("touched twice");
            owners[at] = static_cast<int>(rank);
        }
    }
    CHECK(std::ranges::count(owners, -1) == 0);
    std::map<std::size_t, int> of_page;
    for (std::size_t at = 0; at < layout.bytes; ++at)
        CHECK(of_page.emplace((at + page_offset) / page_bytes, owners[at]).first->second == owners[at]);
    for (std::size_t rank = 0; rank < layout.blocks.size(); ++rank) {
        const auto& mine = layout.blocks[rank];
        const std::size_t end = mine.offset + mine.count * element;
        for (std::size_t page = (mine.offset + page_offset + page_bytes - 1) / page_bytes;
             (page + 1) * page_bytes <= end + page_offset; ++page)
            CHECK(of_page[page] == static_cast<int>(rank));
    }
}

/// Blocks do not overlap and hold all elements.
void check_blocks(const window_layout& layout, std::size_t element, std::size_t count) {
    std::size_t sum = 0;
    std::vector<char> taken(layout.bytes);
    for (const auto& each : layout.blocks) {
        sum += each.count;
        for (std::size_t at = each.offset; at < each.offset + each.count * element; ++at)
            CHECK(taken.at(at)++ == 0);
    }
    CHECK(sum == count);
}

} // namespace

TEST_CASE("blocks of each rank") {
    const std::array<std::size_t, 5> counts{3, 0, 1000, 0, 7};
    for (const std::size_t element : {1U, 8U, 12U})
        for (const std::size_t alignment : {1U, 64U, 4096U}) {
            const auto made = blocks_of_each(counts, element, alignment);
            REQUIRE(made);
            for (const auto& each : made->blocks)
                CHECK(each.offset % alignment == 0);
            if (alignment == 1) CHECK(made->bytes == 1010 * element);
            check_blocks(*made, element, 1010);
            for (const std::size_t offset : {0U, 128U, 4000U})
                check_touches(*made, element, offset);
        }
    const std::array<std::size_t, 2> nothing{};
    CHECK(blocks_of_each(nothing, 8, 1)->bytes == 0);
}

TEST_CASE("what memory cannot hold is no layout") {
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
    CHECK_FALSE(blocks_of_each(std::array{most / 8}, 8, 1));
    CHECK_FALSE(blocks_of_each(std::array{most / 32, most / 32, most / 32, most / 32, most / 32}, 8, 1));
    CHECK_FALSE(spread_blocks(most / 4, 8, std::array{0, 0}));
}

TEST_CASE("one block is spread evenly over NUMA nodes, however ranks are") {
    for (const std::size_t count : {0U, 1U, 511U, 512U, 5000U, 12289U})
        for (const std::size_t element : {8U, 12U}) {
            const std::array nodes{3, 1, 3, 3, 1};
            const auto made = spread_blocks(count, element, nodes);
            REQUIRE(made);
            check_blocks(*made, element, count);
            check_touches(*made, element, 0);
            std::map<int, std::size_t> pages;
            for (std::size_t rank = 0; rank < nodes.size(); ++rank) {
                const auto [begin, end] = first_touched(*made, rank, 0);
                pages[nodes[rank]] += (end - begin + page_bytes - 1) / page_bytes;
            }
            const auto difference = std::max(pages[1], pages[3]) - std::min(pages[1], pages[3]);
            CHECK(difference <= 1);
        }
    // As in the picture: twelve pages, and node 0 has two ranks.
    const auto drawn = spread_blocks(12 * page_bytes, 1, std::array{0, 1, 0});
    CHECK(drawn->blocks[0].offset == 0);
    CHECK(drawn->blocks[2].offset == 3 * page_bytes);
    CHECK(drawn->blocks[1].offset == 6 * page_bytes);
}

TEST_CASE("parts of an arena do not overlap, and all of it comes back") {
    std::mt19937 dice{7};
    constexpr std::size_t bytes = 1 << 16;
    block_list list{bytes};
    std::vector<block_list::block> taken;
    std::vector<char> used(bytes);
    int refused = 0;
    for (int step = 0; step < 5000; ++step) {
        if (dice() % 2 == 0 && !taken.empty()) {
            const auto at = taken.begin() + static_cast<std::ptrdiff_t>(dice() % taken.size());
            std::fill_n(used.begin() + static_cast<std::ptrdiff_t>(at->begin), at->end - at->begin, char{0});
            list.give_back(*at);
            taken.erase(at);
            continue;
        }
        const std::size_t alignment = std::size_t{1} << dice() % 13, lead = 128 * (dice() % 5);
        const std::size_t length = dice() % 3000;
        const auto made = list.take(length, alignment, lead);
        if (!made) {
            ++refused;
            continue;
        }
        REQUIRE(made->end <= bytes);
        CHECK(made->data % alignment == 0);
        CHECK(made->data - made->begin == lead);
        CHECK(made->end - made->data == length);
        for (std::size_t i = made->begin; i < made->end; ++i)
            CHECK(used[i]++ == 0);
        taken.push_back(*made);
    }
    CHECK(refused > 0);
    for (const auto& each : taken)
        list.give_back(each);
    CHECK(list.free_bytes() == bytes);
    CHECK(list.gaps() == 1);
    CHECK(list.take(bytes, 1, 0));
    CHECK_FALSE(list.take(1, 1, 0));
}

TEST_CASE("free space is known, and said in words") {
    const auto now = topo::free_space_now();
    CHECK((now.memory && *now.memory > 0));
    CHECK_FALSE(topo::free_space_now("/no/such/folder").shared);
    CHECK(topo::free_space{100, 50}.holds(50));
    CHECK_FALSE(topo::free_space{100, 50}.holds(51));
    CHECK_FALSE(topo::free_space{40, 50}.holds(50));
    CHECK(topo::free_space{}.holds(1));
    CHECK(topo::bytes_text(1023) == "1023 bytes");
    CHECK(topo::bytes_text(1536) == "1.5 KiB");
    CHECK(topo::bytes_text(std::uint64_t{64} << 20) == "64.0 MiB");
}

TEST_CASE("cached files count as free in a container, shared memory does not") {
    const auto root = std::filesystem::temp_directory_path() / ("topomp_" + std::to_string(getpid()));
    const auto write = [&](const char* name, const char* text) {
        std::filesystem::create_directories((root / name).parent_path());
        std::ofstream{root / name} << text;
    };
    const auto left = [&] { return topo::detail::left_by_control_group(root.string()); };
    CHECK_FALSE(left());
    write("memory/memory.limit_in_bytes", "1000\n");
    write("memory/memory.usage_in_bytes", "900\n");
    CHECK(left() == 100);
    write("memory/memory.stat",
          "cache 500\nactive_file 1\ntotal_shmem 99\ntotal_inactive_file 300\ntotal_active_file 200\n");
    CHECK(left() == 600);
    write("memory.max", "2000\n"); // version 2 comes first
    write("memory.current", "1990\n");
    write("memory.stat", "anon 40\nfile 1900\nshmem 600\ninactive_file 700\nactive_file 600\n");
    CHECK(left() == 1310);
    write("memory.current", "3000\n"); // more than the limit, for a moment
    CHECK(left() == 300);
    write("memory.max", "max\n");
    CHECK(left() == 600);
    std::filesystem::remove_all(root);
}

TEST_CASE("pages that were touched lie somewhere, others nowhere") {
    constexpr std::size_t pages = 700; // more than are asked about at a time
    auto* const memory = static_cast<std::byte*>(std::aligned_alloc(page_bytes, pages * page_bytes));
    std::fill_n(memory, pages * page_bytes, std::byte{1});
    const auto shares = topo::numa_shares({memory, pages * page_bytes});
    std::size_t sum = 0;
    for (const auto& each : shares)
        sum += each.pages;
    CHECK((shares.empty() || sum == pages)); // nothing where the system does not tell
    CHECK(topo::numa_shares({}).empty());
    std::free(memory);
}

} // namespace window_layout_tests
