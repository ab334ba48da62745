// SPDX-License-Identifier: BSL-1.0
/// @file
/// A block of each rank of other groups, from or to the ranks of one.
#pragma once

#include <topomp/algorithm/block_transfer.hpp>
#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/copy_groups.hpp>
#include <topomp/algorithm/operation.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/core/message.hpp>

#include <mpi.h>

#include <array>
#include <cstddef>

namespace topo::detail {

/// Blocks between a window, in which those of all ranks lie in their order, and the ranks of the other
/// groups: with rank number n of these deals, in the window's group of k ranks, number n modulo k. A few
/// messages are under way at a time.
class block_messages final : public operation {
public:
    /// In the window's group. @param goes_out or comes in
    void start(copy_groups& groups, const blocks& window, bool goes_out) {
        begin(groups, goes_out, window.type);
        window_ = window;
        is_inside_ = true;
        group_ = 0;
        next_ = groups.number();
    }

    /// In any other group. @param mine the calling rank's block @param to the window's group
    void start(copy_groups& groups, const message& mine, int to, bool goes_out) {
        begin(groups, goes_out, mine.type);
        is_inside_ = false;
        const grouped_ranks& all = groups.everybody();
        post(mine, all.at(to, groups.number() % all.size(to)));
    }

private:
    static constexpr std::size_t most_under_way = 16;

    void begin(copy_groups& groups, bool goes_out, MPI_Datatype type) {
        groups_ = &groups;
        tag_ = groups.ranks().next_tag();
        goes_out_ = goes_out;
        layout_ = type_layout{type};
        slots_.clear();
        under_way_ = 0;
    }

    bool advance() override {
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

    void post_next() {
        const grouped_ranks& all = groups_->everybody();
        if (group_ == groups_->group() || next_ >= all.size(group_)) {
            ++group_;
            next_ = groups_->number();
            return;
        }
        const int partner = all.at(group_, next_);
        next_ += groups_->size();
        post(window_.block_of(partner, layout_), partner);
    }

    void post(const message& block, int partner) {
        const MPI_Comm wire = groups_->ranks().wire();
        if (goes_out_)
            out_[under_way_].start(block, layout_, partner, tag_, wire, slots_);
        else
            in_[under_way_].start(block, layout_, partner, tag_, wire, slots_);
        ++under_way_;
    }

    copy_groups* groups_ = nullptr;
    blocks window_;
    type_layout layout_{MPI_BYTE};
    int tag_ = 0, group_ = 0, next_ = 0;
    bool goes_out_ = false, is_inside_ = false;
    std::size_t under_way_ = 0;
    std::array<incoming_block, most_under_way> in_;
    std::array<outgoing_block, most_under_way> out_;
};

} // namespace topo::detail
