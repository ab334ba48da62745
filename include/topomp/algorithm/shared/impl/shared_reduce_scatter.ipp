// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/progress/reduce_local.hpp>
#include <topomp/algorithm/shared/shared_reduce_scatter.hpp>
#include <topomp/algorithm/shared/shared_room.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/memory/detail/block_list.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>

namespace topo::detail {

TOPOMP_INLINE bool shared_reduce_scatter::takes(const type_layout& layout, int ranks) {
    return layout.extent > 0 && stride_of(layout) <= slot_bytes_of(ranks);
}

TOPOMP_INLINE shared_reduce_scatter::shared_reduce_scatter(shared_room& room, const blocks& input,
                                                           const message& mine, MPI_Op op)
    : room_(room), layout_(input.type), input_(input), mine_(mine), result_(mine), op_(op),
      slot_bytes_(slot_bytes_of(room.size())), chunk_(slot_bytes_ / stride_of(layout_)) {}

TOPOMP_INLINE void shared_reduce_scatter::run() {
    std::size_t longest = 0;
    bool is_inside = false;
    for (int rank = 0; rank < room_.size(); ++rank) {
        const message block = input_.block_of(rank, layout_);
        longest = std::max(longest, block.count);
        is_inside = is_inside || overlap(block);
    }
    if (is_inside) { // and others' operands may lie in the result's place
        room_.own_copy().reserve(layout_.span(mine_.count));
        result_.data = room_.own_copy().data() - layout_.true_lower;
    }
    // Short sections lie close together: each cache line that a rank writes comes back from one that has read
    // it.
    constexpr std::size_t alignment = 16, in_post_alignment = 8;
    const std::size_t whole = longest * stride_of(layout_);
    const std::size_t in_post = round_up(whole, in_post_alignment);
    is_in_post_ = in_post * (static_cast<std::size_t>(room_.size()) - 1) <= shared_room::post_bytes;
    slot_bytes_ = is_in_post_ ? in_post : std::min(slot_bytes_, round_up(whole, alignment));
    room_.begin();
    for (std::size_t step = 0, first = 0; first < longest; ++step, first += chunk_) {
        fill(step, first);
        combine(step, first);
        if (!is_in_post_) room_.raise(room_.taken(room_.rank()), room_.now(step + 1));
    }
    room_.end();
    copy_block(result_, mine_, room_.spare());
}

TOPOMP_INLINE std::size_t shared_reduce_scatter::slot_bytes_of(int ranks) {
    constexpr std::size_t line = 64;
    return shared_room::chunk_bytes / line / static_cast<std::size_t>(ranks) * line;
}

TOPOMP_INLINE std::size_t shared_reduce_scatter::stride_of(const type_layout& layout) {
    return static_cast<std::size_t>(std::max(layout.extent, layout.true_extent));
}

TOPOMP_INLINE bool shared_reduce_scatter::overlap(const message& block) const {
    if (block.count == 0 || mine_.count == 0) return false;
    const auto begin = [&](const message& of) {
        return static_cast<const std::byte*>(of.data) + layout_.true_lower;
    };
    const std::less<> before;
    return before(begin(block), begin(mine_) + layout_.span(mine_.count)) &&
           before(begin(mine_), begin(block) + layout_.span(block.count));
}

TOPOMP_INLINE message shared_reduce_scatter::chunk_of(const message& block, std::size_t first) const {
    const std::size_t begin = std::min(first, block.count);
    return {layout_.element(block.data, begin), std::min(chunk_, block.count - begin), block.type};
}

TOPOMP_INLINE std::byte* shared_reduce_scatter::slot_of(int owner, int rank, std::size_t step) const {
    const int place = rank < owner ? rank : rank - 1; // none for itself
    std::byte* const slots = is_in_post_ ? room_.post_of(owner) : room_.chunk_of(owner, step);
    return slots + static_cast<std::size_t>(place) * slot_bytes_;
}

TOPOMP_INLINE void shared_reduce_scatter::fill(std::size_t step, std::size_t first) {
    if (is_in_post_)
        room_.own_post();
    else
        room_.own_chunk(step);
    for (int rank = 0; rank < room_.size(); ++rank) {
        if (rank == room_.rank()) continue;
        const message chunk = chunk_of(input_.block_of(rank, layout_), first);
        if (chunk.count > 0)
            copy_shared(slot_of(room_.rank(), rank, step),
                        static_cast<const std::byte*>(chunk.data) + layout_.true_lower,
                        layout_.span(chunk.count));
    }
    if (is_in_post_)
        room_.raise_post();
    else
        room_.raise(room_.filled(room_.rank()), room_.now(step + 1));
}

TOPOMP_INLINE void shared_reduce_scatter::combine(std::size_t step, std::size_t first) {
    const message sum = chunk_of(result_, first);
    if (sum.count == 0) return;
    if (is_in_post_)
        room_.wait_for_all_posts();
    else
        room_.wait_for_all(&shared_room::filled, room_.now(step + 1));
    for (int rank = 0; rank < room_.size(); ++rank)
        if (rank != room_.rank()) fetch_if_short(slot_of(rank, room_.rank(), step), layout_.span(sum.count));
    const auto operand_of = [&](int rank) -> const void* {
        charge_copy(layout_.span(sum.count));
        if (rank == room_.rank()) return chunk_of(input_.block_of(rank, layout_), first).data;
        return slot_of(rank, room_.rank(), step) - layout_.true_lower;
    };
    reduce_in_order(room_.size(), sum, op_, operand_of);
}

} // namespace topo::detail
