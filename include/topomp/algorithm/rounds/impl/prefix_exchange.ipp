// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/rounds/prefix_exchange.hpp>
#include <topomp/algorithm/schedule/exchange_schedule.hpp>
#include <topomp/algorithm/schedule/folded_order.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

namespace topo::detail {

TOPOMP_INLINE void prefix_exchange::start(context& ranks, const message& data, MPI_Op op) {
    data_ = data;
    begin(ranks, operand_order::of_ranks);
    const type_layout layout{data.type};
    work_.reserve(layout.span(2 * data.count));
    void* const work = work_.data() - layout.true_lower;
    copy_block(data, {work, data.count, data.type}, spare_);
    begin_.assign(rank_order_.size() + 1, 2 * data.count);
    begin_[0] = 0;
    begin_[1] = data.count;

    const part_range operands{0, 1}, before{1, 2};
    // Nothing is before rank 0.
    const auto add = [&](int distance, const part_range& what, int least, arrival arrives_as, bool joins) {
        const int to = position_ + distance, from = position_ - distance;
        schedule_.push_back({position_ >= least && to < size() ? to : exchange_step::no_rank, what,
                             from >= least ? from : exchange_step::no_rank, before, arrives_as, joins});
    };
    add(1, operands, 0, arrival::replaces, false);
    add(2, operands, 0, arrival::adds, true);
    for (int known = 2; known < size() - 1; known *= 2)
        add(known, before, 1, arrival::adds, false);
    play({work, 2 * data.count, data.type}, op);
}

TOPOMP_INLINE void prefix_exchange::finish() {
    if (position_ == 0) return;
    const type_layout layout{data_.type};
    copy_block({layout.element(steps_.data(), data_.count), data_.count, data_.type}, data_, spare_);
}

} // namespace topo::detail
