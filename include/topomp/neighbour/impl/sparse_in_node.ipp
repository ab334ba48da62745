// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/algorithm/rounds/long_blocks.hpp>
#include <topomp/algorithm/shared/shared_blocks.hpp>
#include <topomp/core/detail/copy_bytes.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/neighbour/detail/sparse_blocks.hpp>
#include <topomp/neighbour/detail/sparse_in_node.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace topo::detail {

/// A number or a few of each rank for each.
template <class T>
std::vector<T> exchange_numbers(shared_blocks& node, std::vector<T> of_this_rank) {
    std::vector<T> for_this_rank(of_this_rank.size());
    node.all_to_all({of_this_rank.data(), MPI_BYTE, sizeof(T)}, {for_this_rank.data(), MPI_BYTE, sizeof(T)});
    return for_this_rank;
}

/// Blocks of all ranks, one behind the other.
struct placed_lengths {
    std::vector<std::size_t> counts, positions;
    std::size_t all = 0; ///< bytes

    /// @param lengths one more than the bytes; 0: there is no block
    explicit placed_lengths(const std::vector<std::uint32_t>& lengths) {
        for (const std::uint32_t each : lengths) {
            counts.push_back(each > 0 ? each - 1 : 0);
            positions.push_back(all);
            all += counts.back();
        }
    }
};

TOPOMP_INLINE void prepare_sparse_in_node(const hierarchy& levels) {
    static_cast<void>(shared_blocks{context::of(levels)});
}

TOPOMP_INLINE bool sparse_exchange_in_node(const char* call, const hierarchy& levels,
                                           const sparse_sends& sent, const sparse_result& result) {
    context& ranks = context::of(levels);
    const in_flight::turn alone{ranks.running()};
    shared_blocks node{ranks};
    if (!node.works()) return false;
    const auto size = static_cast<std::size_t>(levels.whole_size());
    const auto problem = sparse_problem::of(sent, levels.whole_size());

    // A rank that has a problem says so to all.
    constexpr std::uint32_t is_problem = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> lengths(size, problem.is_any != 0 ? is_problem : 0);
    if (problem.is_any == 0)
        for (const sparse_block& each : sent.blocks)
            lengths[static_cast<std::size_t>(each.rank)] = static_cast<std::uint32_t>(each.bytes.size() + 1);
    const placed_lengths to{lengths};
    lengths = exchange_numbers(node, std::move(lengths));
    if (const auto first = std::ranges::find(lengths, is_problem); first != lengths.end()) {
        const auto lowest = static_cast<std::size_t>(first - lengths.begin());
        const auto all = exchange_numbers(node, std::vector<sparse_problem>(size, problem));
        refuse_sparse(call, levels.whole_size(), sent, problem, all[lowest], static_cast<int>(lowest));
    }

    const placed_lengths from{lengths};
    const auto out = std::make_unique_for_overwrite<std::byte[]>(to.all),
               in = std::make_unique_for_overwrite<std::byte[]>(from.all);
    for (const sparse_block& each : sent.blocks)
        if (!each.bytes.empty())
            copy_bytes(out.get() + to.positions[static_cast<std::size_t>(each.rank)], each.bytes.data(),
                       each.bytes.size());
    exchange_in_node(ranks, node, {out.get(), MPI_BYTE, 0, to.counts, to.positions},
                     {in.get(), MPI_BYTE, 0, from.counts, from.positions});

    std::vector<sparse_view> came;
    for (std::size_t rank = 0; rank < size; ++rank)
        if (lengths[rank] > 0)
            came.push_back({static_cast<int>(rank), {in.get() + from.positions[rank], from.counts[rank]}});
    result.unpack(call, levels.whole(), came, result.into);
    return true;
}

} // namespace topo::detail
