// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/bounded.hpp>
#include <topomp/core/detail/checked.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/integers.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/translate.hpp>
#include <topomp/plan/detail/checked_call.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE void copy_own_block(const message& mine, const blocks& all, int rank) {
    scratch_buffer temporary;
    copy_block(mine, all.block_of(rank), temporary);
}

TOPOMP_INLINE std::uint64_t hash_of_lengths([[maybe_unused]] const blocks& all, [[maybe_unused]] int ranks) {
    std::uint64_t hash = 0;
    if constexpr (is_checked)
        for (int rank = 0; rank < ranks; ++rank)
            hash = hash * 0x9E3779B97F4A7C15U + all.count_of(rank) * size_of(all.type);
    return hash;
}

TOPOMP_INLINE std::size_t place_in_turn(const std::vector<std::size_t>& counts,
                                        std::vector<std::size_t>& positions) {
    positions.resize(counts.size());
    std::size_t sum = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        positions[i] = sum;
        sum += counts[i];
    }
    return sum;
}

TOPOMP_INLINE message own_block(const message& mine, const blocks& all, int root) {
    return mine.data == MPI_IN_PLACE ? all.block_of(root) : mine;
}

TOPOMP_INLINE void require_own_size(std::string_view call, const message& mine, const message& own) {
    if (const std::size_t given = bytes_of(mine), expected = bytes_of(own); given != expected)
        throw argument_error(call, "mine",
                             "the root's own block has " + number_of(given, "byte") +
                                 ", its place among all blocks has " + std::to_string(expected));
}

TOPOMP_INLINE void require_equal_blocks(std::string_view call, const blocks& all) {
    if (!all.counts.empty() || !all.positions.empty())
        throw argument_error(call, "blocks",
                             "counts and positions are given, but all blocks have one length: use " +
                                 std::string{call} + "v");
}

TOPOMP_INLINE std::size_t elements_of_all(std::string_view call, std::size_t count, std::size_t bytes_each,
                                          const hierarchy& levels) {
    const auto ranks = static_cast<std::size_t>(levels.whole_size());
    require_memory(call, "elements of all ranks", count, ranks * bytes_each);
    return count * ranks;
}

TOPOMP_INLINE void require_block_each(std::string_view call, std::string_view object, std::size_t elements,
                                      std::size_t count, const hierarchy& levels) {
    const auto ranks = static_cast<std::size_t>(levels.whole_size());
    if (const std::size_t all = elements_of_all(call, count, 1, levels); elements != all)
        throw argument_error(call, object,
                             "it has " + number_of(elements, "element") + ", but " +
                                 number_of(ranks, "block") + " of " + std::to_string(count) + " are " +
                                 std::to_string(all));
}

TOPOMP_INLINE void require_not_negative(std::string_view call, std::string_view object,
                                        const integers& values) {
    std::size_t all = 0;
    for (const std::size_t value : values)
        all |= value;
    if (static_cast<std::ptrdiff_t>(all) >= 0) [[likely]]
        return;
    for (std::size_t index = 0; index < values.size(); ++index)
        if (const auto value = static_cast<std::ptrdiff_t>(values[index]); value < 0)
            throw argument_error(call, std::string{object} + '[' + std::to_string(index) + ']',
                                 "it is " + std::to_string(value) + ", but must not be negative");
}

[[gnu::cold]] TOPOMP_INLINE void refuse_number(std::string_view call, std::string_view object,
                                               std::size_t given, const hierarchy& levels) {
    throw argument_error(call, object,
                         "there are " + std::to_string(given) + ", the communicator has " +
                             number_of(static_cast<std::size_t>(levels.whole_size()), "rank"));
}

TOPOMP_INLINE void require_counts(std::string_view call, const integers& counts, const hierarchy& levels) {
    require_one_each(call, "counts", counts.size(), levels);
    require_not_negative(call, "counts", counts);
}

TOPOMP_INLINE void require_counts(std::string_view call, const blocks& all, const hierarchy& levels) {
    require_one_each(call, "counts", all.counts.size(), levels);
    if (!all.positions.empty()) require_one_each(call, "positions", all.positions.size(), levels);
}

/// Where sums may not fit, or a count is negative.
[[gnu::cold]] TOPOMP_INLINE block_extent extent_of_any(std::string_view call, const blocks& all) {
    require_not_negative(call, "counts", all.counts);
    block_extent all_of_them;
    auto& [end, next] = all_of_them;
    const auto behind = [&](std::size_t begin, std::size_t count) {
        if (const auto sum = bounded(1, begin, count)) return *sum;
        throw argument_error(call, "counts",
                             "there are more elements than memory can hold, with " + std::to_string(count) +
                                 " from element " + std::to_string(begin) + " on");
    };
    for (std::size_t rank = 0; rank < all.counts.size(); ++rank) {
        const std::size_t begin = all.positions.empty() ? next : all.positions[rank];
        next = behind(next, all.counts[rank]);
        if (all.counts[rank] > 0) end = std::max(end, behind(begin, all.counts[rank]));
    }
    return all_of_them;
}

TOPOMP_INLINE block_extent extent_of(std::string_view call, const blocks& all) {
    constexpr std::size_t half = std::size_t{1} << (sizeof(std::size_t) * 4);
    const std::span<const std::size_t> counts = all.counts, positions = all.positions;
    block_extent all_of_them;
    auto& [end, sum] = all_of_them;
    std::size_t bits = 0;
    for (std::size_t rank = 0; rank < counts.size(); ++rank) {
        const std::size_t begin = positions.empty() ? sum : positions[rank], count = counts[rank];
        bits |= begin | count;
        if (count > 0) end = std::max(end, begin + count);
        sum += count;
    }
    // Then no sum wrapped around, of as many counts as there are ranks.
    if (bits < half / 2) [[likely]]
        return all_of_them;
    return extent_of_any(call, all);
}

TOPOMP_INLINE void require_block_of_all(std::string_view call, const message& mine, const hierarchy& levels) {
    require_type(call, mine.type);
    require_memory(call, "length of all blocks", elements_of_all(call, mine.count, 1, levels),
                   type_layout{mine.type});
}

TOPOMP_INLINE void require_blocks(std::string_view call, const blocks& all, const hierarchy& levels) {
    if (all.counts.empty()) return require_block_of_all(call, {nullptr, all.count, all.type}, levels);
    require_type(call, all.type);
    const type_layout layout{all.type};
    const auto [end, sum] = extent_of(call, all);
    require_memory(call, "length of all blocks", end > sum ? end : sum, layout);
}

TOPOMP_INLINE void require_room(std::string_view call, std::string_view object, const blocks& all,
                                std::size_t elements) {
    if (!all.positions.empty()) require_not_negative(call, "positions", all.positions);
    if (const std::size_t end = extent_of(call, all).end; elements < end)
        throw argument_error(call, object,
                             "it has " + number_of(elements, "element") + ", but the blocks end at " +
                                 std::to_string(end));
}

TOPOMP_INLINE void require_apart([[maybe_unused]] std::string_view call,
                                 [[maybe_unused]] std::string_view object,
                                 [[maybe_unused]] const blocks& all) {
    if constexpr (is_checked) {
        if (all.counts.empty() || all.positions.empty()) return;
        std::vector<std::size_t> ranks; // by position
        for (std::size_t rank = 0; rank < all.counts.size(); ++rank)
            if (all.counts[rank] > 0) ranks.push_back(rank);
        // Stable, so that of blocks at one position the lowest ranks are named.
        std::stable_sort(ranks.begin(), ranks.end(), [&](std::size_t a, std::size_t b) {
            return std::size_t{all.positions[a]} < std::size_t{all.positions[b]};
        });
        const auto text = [&](std::size_t rank) {
            return std::to_string(rank) + ", elements " + std::to_string(all.positions[rank]) + " to " +
                   std::to_string(all.positions[rank] + all.counts[rank] - 1);
        };
        for (std::size_t i = 1; i < ranks.size(); ++i)
            if (const std::size_t a = ranks[i - 1], b = ranks[i];
                all.positions[b] < all.positions[a] + all.counts[a])
                throw argument_error(
                    call, object, "the blocks of rank " + text(a) + ", and of rank " + text(b) + ", overlap");
    }
}

TOPOMP_INLINE void require_own_bytes(std::string_view call, std::size_t given, std::size_t expected) {
    if (given != expected)
        throw argument_error(call, "mine",
                             "this rank's own block has " + number_of(given, "byte") +
                                 ", its place in the result has " + std::to_string(expected));
}

TOPOMP_INLINE void require_data(std::string_view call, std::string_view object, const blocks& all,
                                const hierarchy& levels) {
    if (all.data != nullptr) [[likely]]
        return;
    if (const std::size_t bytes = total_bytes(all, levels.whole_size()); bytes > 0)
        require_data(call, object, all.data, bytes / size_of(all.type), all.type);
}

TOPOMP_INLINE void require_blocks_of_root(std::string_view call, const hierarchy& levels, const message& mine,
                                          const blocks& all, int root) {
    require_root(call, root, levels);
    const int rank = levels.whole_rank();
    const bool is_in_place = mine.data == MPI_IN_PLACE;
    if (is_in_place && rank != root)
        throw argument_error(call, "mine",
                             "it is MPI_IN_PLACE on rank " + std::to_string(rank) +
                                 ", but only the root, rank " + std::to_string(root) + ", has all blocks");
    if (!is_in_place) {
        require_message(call, mine);
        require_data(call, "mine", mine);
    }
    if (rank != root) return;
    require_blocks(call, all, levels);
    require_data(call, "blocks", all, levels);
    if (!is_in_place) require_own_size(call, mine, {nullptr, all.count_of(root), all.type});
}

TOPOMP_INLINE void compare_with_root([[maybe_unused]] std::string_view call,
                                     [[maybe_unused]] const hierarchy& levels,
                                     [[maybe_unused]] const message& own, [[maybe_unused]] const blocks& all,
                                     [[maybe_unused]] int root) {
    if constexpr (is_checked) {
        std::vector<std::size_t> sizes;
        for (const std::size_t count : all.counts)
            sizes.push_back(count * size_of(all.type));
        std::size_t expected = 0;
        mpi::check(MPI_Scatter(sizes.data(), 1, mpi::size_type(), &expected, 1, mpi::size_type(), root,
                               context::of(levels).private_comm()),
                   "MPI_Scatter", "sizes of blocks");
        check_on_all_ranks(levels, [&] {
            if (const std::size_t given = bytes_of(own); given != expected)
                throw argument_error(call, "mine",
                                     "it has " + number_of(given, "byte") + " on rank " +
                                         std::to_string(levels.whole_rank()) +
                                         ", whose count on the root, rank " + std::to_string(root) +
                                         ", stands for " + std::to_string(expected));
        });
    }
}

} // namespace topo::detail
