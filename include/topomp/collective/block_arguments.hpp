// SPDX-License-Identifier: BSL-1.0
/// @file
/// What the verbs that move blocks check before they send anything.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/packed.hpp>
#include <topomp/core/checked.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/translate.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace topo::detail {

/// Elements that are only read, as a message, whose address is not const.
template <buffer R>
message view_of(const R& elements) {
    using value_type = std::remove_cv_t<std::ranges::range_value_t<R>>;
    return {const_cast<value_type*>(std::ranges::data(elements)), std::ranges::size(elements),
            datatype_of<value_type>()};
}

inline std::string number_of(std::size_t count, std::string_view what) {
    return std::to_string(count).append(1, ' ').append(what).append(count == 1 ? "" : "s");
}

/// Of the blocks' bytes, which all ranks know alike; in checked builds only.
inline std::uint64_t hash_of_lengths([[maybe_unused]] const blocks& all, [[maybe_unused]] int ranks) {
    std::uint64_t hash = 0;
    if constexpr (is_checked)
        for (int rank = 0; rank < ranks; ++rank)
            hash = hash * 0x9E3779B97F4A7C15U + all.count_of(rank) * size_of(all.type);
    return hash;
}

/// The calling rank's own block: `mine`, or with `MPI_IN_PLACE` the one among all of them. Local.
/// @throws argument_error if there is no such root, or if `mine` is in place on another rank
inline message own_block(std::string_view call, const hierarchy& tree, const message& mine, const blocks& all,
                         int root) {
    require_rank(call, root, tree.whole());
    if (mine.data != MPI_IN_PLACE) return mine;
    if (tree.whole().rank() == root) return all.block_of(root);
    throw argument_error(call, "mine",
                         "it is MPI_IN_PLACE on rank " + std::to_string(tree.whole().rank()) +
                             ", but only the root, rank " + std::to_string(root) + ", has all blocks");
}

/// Refuses an own block of another size than its place among all of them. Local.
inline void require_own_size(std::string_view call, const message& mine, const message& own) {
    if (const std::size_t given = bytes_of(mine), expected = bytes_of(own); given != expected)
        throw argument_error(call, "mine",
                             "the root's own block has " + number_of(given, "byte") +
                                 ", its place among all blocks has " + std::to_string(expected));
}

/// Blocks of equal length. @throws argument_error if lengths or positions of their own are given
inline void require_equal_blocks(std::string_view call, const blocks& all) {
    if (!all.counts.empty() || !all.positions.empty())
        throw argument_error(call, "blocks",
                             "counts and positions are given, but all blocks have one length: use " +
                                 std::string{call} + "v");
}

/// Refuses a buffer that has not exactly a block of `count` elements for each rank. Local.
inline void require_block_each(std::string_view call, std::string_view object, std::size_t elements,
                               std::size_t count, const hierarchy& tree) {
    const auto ranks = static_cast<std::size_t>(tree.whole().size());
    if (elements != count * ranks)
        throw argument_error(call, object,
                             "it has " + number_of(elements, "element") + ", but " +
                                 number_of(ranks, "block") + " of " + std::to_string(count) + " are " +
                                 std::to_string(count * ranks));
}

inline void require_one_each(std::string_view call, std::string_view object, std::size_t given,
                             const hierarchy& tree) {
    const auto ranks = static_cast<std::size_t>(tree.whole().size());
    if (given != ranks)
        throw argument_error(call, object,
                             "there are " + std::to_string(given) + ", the communicator has " +
                                 number_of(ranks, "rank"));
}

/// Refuses blocks without a count for each rank, or with positions but not one for each. Local.
inline void require_counts(std::string_view call, const blocks& all, const hierarchy& tree) {
    require_one_each(call, "counts", all.counts.size(), tree);
    if (!all.positions.empty()) require_one_each(call, "positions", all.positions.size(), tree);
}

/// Refuses a buffer that is not enough for all blocks. Local. @pre there are counts
inline void require_room(std::string_view call, std::string_view object, const blocks& all,
                         std::size_t elements) {
    std::size_t end = 0, next = 0;
    for (std::size_t rank = 0; rank < all.counts.size(); ++rank) {
        const std::size_t begin = all.positions.empty() ? next : all.positions[rank];
        next += all.counts[rank];
        if (all.counts[rank] > 0) end = std::max(end, begin + all.counts[rank]);
    }
    if (elements < end)
        throw argument_error(call, object,
                             "it has " + number_of(elements, "element") + ", but the blocks end at " +
                                 std::to_string(end));
}

/// Refuses an own block of another size than its place among the blocks, both in bytes. Local.
inline void require_own_bytes(std::string_view call, std::size_t given, std::size_t expected) {
    if (given != expected)
        throw argument_error(call, "mine",
                             "this rank's own block has " + number_of(given, "byte") +
                                 ", its place in the result has " + std::to_string(expected));
}

/// Blocks of different lengths with their positions, which are found here if they are not given.
class placed_blocks {
public:
    /// @throws argument_error unless there is a count, and a position if there are any, for each rank
    placed_blocks(std::string_view call, const blocks& all, const hierarchy& tree) : all_(all) {
        require_counts(call, all, tree);
        if (!all.positions.empty()) return;
        std::size_t next = 0;
        for (const std::size_t count : all.counts) {
            positions_.push_back(next);
            next += count;
        }
        all_.positions = positions_;
    }
    placed_blocks(const placed_blocks&) = delete;
    placed_blocks& operator=(const placed_blocks&) = delete;

    const blocks& all() const noexcept { return all_; }

    void require_room(std::string_view call, std::string_view object, std::size_t elements) const {
        detail::require_room(call, object, all_, elements);
    }

private:
    blocks all_;
    std::vector<std::size_t> positions_;
};

} // namespace topo::detail
