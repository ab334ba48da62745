// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/shared/copy_groups.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hybrid/detail/block_messages.hpp>

#include <boost/mpi/config.hpp>

namespace topo::detail {

TOPOMP_INLINE void block_messages::start(copy_groups& groups, const blocks& window, bool goes_out) {
    begin(groups, goes_out, window.type);
    window_ = window;
    is_inside_ = true;
    group_ = 0;
    next_ = groups.number();
}

TOPOMP_INLINE void block_messages::start(copy_groups& groups, const message& mine, int to, bool goes_out) {
    begin(groups, goes_out, mine.type);
    is_inside_ = false;
    const grouped_ranks& all = groups.all_ranks();
    post(mine, all.at(to, groups.number() % all.size(to)));
}

TOPOMP_INLINE void block_messages::begin(copy_groups& groups, bool goes_out, MPI_Datatype type) {
    groups_ = &groups;
    tag_ = groups.ranks().next_tag();
    goes_out_ = goes_out;
    layout_ = type_layout{type};
    slots_.clear();
    under_way_ = 0;
}

TOPOMP_INLINE bool block_messages::advance() {
    while (are_free(slots_, 0)) {
        slots_.clear();
        while (under_way_ > 0)
            in_[--under_way_].finish();
        if (!is_inside_ || group_ == groups_->groups()) return true;
        while (under_way_ < most_under_way && group_ < groups_->groups())
            post_next();
    }
    return false;
}

TOPOMP_INLINE void block_messages::post_next() {
    const grouped_ranks& all = groups_->all_ranks();
    if (group_ == groups_->group() || next_ >= all.size(group_)) {
        ++group_;
        next_ = groups_->number();
        return;
    }
    const int partner = all.at(group_, next_);
    next_ += groups_->size();
    post(window_.block_of(partner, layout_), partner);
}

TOPOMP_INLINE void block_messages::post(const message& block, int partner) {
    const MPI_Comm private_comm = groups_->ranks().private_comm();
    if (goes_out_)
        out_[under_way_].start(block, layout_, partner, tag_, private_comm, slots_);
    else
        in_[under_way_].start(block, layout_, partner, tag_, private_comm, slots_);
    ++under_way_;
}

} // namespace topo::detail
