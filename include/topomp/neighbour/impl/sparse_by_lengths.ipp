// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/algorithm/rounds/long_blocks.hpp>
#include <topomp/algorithm/shared/aggregated_blocks.hpp>
#include <topomp/algorithm/shared/aggregated_exchange.hpp>
#include <topomp/algorithm/shared/shared_blocks.hpp>
#include <topomp/collective/detail/block_arguments.hpp>
#include <topomp/core/detail/copy_bytes.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/neighbour/detail/node_groups.hpp>
#include <topomp/neighbour/detail/sparse_blocks.hpp>
#include <topomp/neighbour/detail/sparse_by_lengths.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace topo::detail {

/// The memory of nodes, through which all ranks exchange blocks.
class sparse_memory {
public:
    /// @collective over the whole the first time
    explicit sparse_memory(const hierarchy& levels) : ranks_(context::of(levels)), node_(ranks_) {
        if (node_.works() || !are_few_nodes(levels)) return;
        numbers_.emplace(levels, sizeof(std::uint64_t));
        blocks_.emplace(levels);
        constexpr std::size_t longest = 1024; // through memory, as in an all_to_allv
        if (numbers_->works()) shorter_than_ = blocks_->shorter_than(longest);
    }

    /// The same on all ranks.
    bool works() const { return node_.works() || shorter_than_ > 0; }

    /// A number of each rank for each.
    std::vector<std::uint64_t> exchange(std::vector<std::uint64_t> of_this_rank) {
        std::vector<std::uint64_t> for_this_rank(of_this_rank.size());
        const blocks from{of_this_rank.data(), MPI_BYTE, sizeof(std::uint64_t)},
            to{for_this_rank.data(), MPI_BYTE, sizeof(std::uint64_t)};
        if (node_.works())
            node_.all_to_all(from, to);
        else
            numbers_->by_carriers(from, to);
        return for_this_rank;
    }

    void exchange(const blocks& source, const blocks& result) {
        if (node_.works()) return exchange_in_node(ranks_, node_, source, result);
        long_blocks others{ranks_, shorter_than_, source, result};
        blocks_->all_to_allv(source, result, shorter_than_);
        others.finish();
    }

private:
    /// In the time of a message: what a carrier sends in both exchanges, all ranks' meetings in their nodes,
    /// and the lengths that leave a node; beside the two meetings of all ranks of an exchange without
    /// lengths.
    static bool are_few_nodes(const hierarchy& levels) {
        constexpr std::size_t bytes_of_message_time = 20480;
        const auto ranks = static_cast<std::size_t>(levels.whole_size()),
                   here = static_cast<std::size_t>(levels.most_ranks_of_node()),
                   others = (ranks + here - 1) / here - 1;
        const std::size_t by_lengths = 2 * ((others + here - 1) / here) + 3 +
                                       others * here * here * sizeof(std::uint64_t) / bytes_of_message_time;
        return by_lengths <= 2 * static_cast<std::size_t>(std::bit_width(ranks - 1));
    }

    context& ranks_;
    shared_blocks node_;
    std::optional<aggregated_exchange> numbers_; ///< of several nodes
    std::optional<aggregated_blocks> blocks_;
    std::size_t shorter_than_ = 0; ///< blocks go through the memory of several nodes; 0: there is none
};

/// Blocks of all ranks, one behind the other.
struct placed_lengths {
    std::vector<std::size_t> counts, positions;
    std::size_t all = 0; ///< bytes

    /// @param lengths one more than the bytes; 0: there is no block
    explicit placed_lengths(const std::vector<std::uint64_t>& lengths) {
        for (const std::uint64_t each : lengths)
            counts.push_back(each > 0 ? each - 1 : 0);
        all = place_in_turn(counts, positions);
    }
};

TOPOMP_INLINE void prepare_sparse_by_lengths(const hierarchy& levels) {
    static_cast<void>(sparse_memory{levels});
}

TOPOMP_INLINE bool sparse_exchange_by_lengths(const char* call, const hierarchy& levels,
                                              const sparse_sends& sent, const sparse_result& result) {
    if (const auto* const known = levels.known_attachment<node_groups>(); known != nullptr)
        known->require_sparse_sound(call);
    const in_flight::turn alone{in_flight::of(levels)};
    sparse_memory memory{levels};
    if (!memory.works()) return false;
    const auto size = static_cast<std::size_t>(levels.whole_size());
    const auto problem = sparse_problem::of(sent, levels.whole_size());

    // A rank that has a problem says so to all.
    constexpr std::uint64_t is_problem = std::numeric_limits<std::uint64_t>::max();
    std::vector<std::uint64_t> lengths(size, problem.is_any != 0 ? is_problem : 0);
    if (problem.is_any == 0)
        for (const sparse_block& each : sent.blocks)
            lengths[static_cast<std::size_t>(each.rank)] = each.bytes.size() + 1;
    const placed_lengths to{lengths};
    lengths = memory.exchange(std::move(lengths));
    if (const auto first = std::ranges::find(lengths, is_problem); first != lengths.end()) {
        const auto lowest = first - lengths.begin();
        sparse_problem told;
        for (auto each : {&sparse_problem::is_any, &sparse_problem::destination, &sparse_problem::bytes})
            told.*each = static_cast<std::int64_t>(memory.exchange(std::vector<std::uint64_t>(
                size, static_cast<std::uint64_t>(problem.*each)))[static_cast<std::size_t>(lowest)]);
        refuse_sparse(call, levels.whole_size(), sent, problem, told, static_cast<int>(lowest));
    }

    const placed_lengths from{lengths};
    const auto out = std::make_unique_for_overwrite<std::byte[]>(to.all),
               in = std::make_unique_for_overwrite<std::byte[]>(from.all);
    for (const sparse_block& each : sent.blocks)
        if (!each.bytes.empty())
            copy_bytes(out.get() + to.positions[static_cast<std::size_t>(each.rank)], each.bytes.data(),
                       each.bytes.size());
    memory.exchange({out.get(), MPI_BYTE, 0, to.counts, to.positions},
                    {in.get(), MPI_BYTE, 0, from.counts, from.positions});

    std::vector<sparse_view> came;
    for (std::size_t rank = 0; rank < size; ++rank)
        if (lengths[rank] > 0)
            came.push_back({static_cast<int>(rank), {in.get() + from.positions[rank], from.counts[rank]}});
    result.unpack(call, levels.whole(), came, result.into);
    return true;
}

} // namespace topo::detail
