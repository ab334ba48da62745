// SPDX-License-Identifier: BSL-1.0
// Rounds on circulant graphs: all ranks' rounds together are a broadcast, in as few rounds as possible.
#include <topomp/algorithm/schedule/circulant_schedule.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cstddef>
#include <vector>

namespace circulant_schedule_tests {

using topo::detail::circulant_schedule;

namespace {

/// What is wrong in the rounds of so many ranks; null: nothing.
const char* fault_of(int size, std::size_t pieces) {
    std::vector<circulant_schedule> ranks;
    for (int rank = 0; rank < size; ++rank)
        ranks.emplace_back(rank, size, pieces);
    const auto of = [&](int rank) -> const circulant_schedule& {
        return ranks[static_cast<std::size_t>(rank)];
    };
    std::vector<std::vector<int>> got(ranks.size(), std::vector<int>(pieces));
    const std::size_t least = pieces - 1 + static_cast<std::size_t>(std::bit_width(ranks.size() - 1));
    for (std::size_t round = 0; round < least; ++round) {
        const auto before = got;
        for (int rank = 0; rank < size; ++rank) {
            if (of(rank).rounds() != least) return "not the least number of rounds";
            const auto step = of(rank).at(round), others = of(step.to).at(round);
            if (others.from != rank) return "a rank is sent to that awaits another one";
            if (others.received != step.sent) return "a rank is sent another piece than it awaits";
            if (step.sent == circulant_schedule::no_piece) continue;
            if (step.sent >= pieces) return "there is no such piece";
            if (rank > 0 && before[static_cast<std::size_t>(rank)][step.sent] == 0)
                return "a rank sends what it has not got";
            ++got[static_cast<std::size_t>(step.to)][step.sent];
        }
    }
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        for (const int times : got[rank])
            if (times != (rank == 0 ? 0 : 1)) return "a piece does not arrive once";
    return nullptr;
}

} // namespace

TEST_CASE("on a circulant graph each rank gets each piece once, after the least number of rounds") {
    for (int size = 2; size <= 70; ++size)
        for (const std::size_t pieces : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 13U, 40U}) {
            CAPTURE(size);
            CAPTURE(pieces);
            REQUIRE(fault_of(size, pieces) == nullptr);
        }
    for (const int size : {96, 240, 511, 512, 513, 1000})
        for (const std::size_t pieces : {1U, 9U, 10U, 11U, 32U}) {
            CAPTURE(size);
            CAPTURE(pieces);
            REQUIRE(fault_of(size, pieces) == nullptr);
        }
}

TEST_CASE("one rank and no piece need no round") {
    CHECK(circulant_schedule{0, 1, 5}.rounds() == 0);
    CHECK(circulant_schedule{2, 5, 0}.rounds() == 0);
}

} // namespace circulant_schedule_tests
