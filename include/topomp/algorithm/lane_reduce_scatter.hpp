// SPDX-License-Identifier: BSL-1.0
/// @file
/// A block of everybody's sum to everybody along lanes.
#pragma once

#include <topomp/algorithm/block_transfer.hpp>
#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/cell.hpp>
#include <topomp/algorithm/lane_layout.hpp>
#include <topomp/algorithm/lane_row.hpp>
#include <topomp/algorithm/native.hpp>
#include <topomp/algorithm/operation.hpp>
#include <topomp/algorithm/packed.hpp>
#include <topomp/algorithm/reduce_scatter_operation.hpp>
#include <topomp/algorithm/run.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/algorithm/tree_operations.hpp>
#include <topomp/algorithm/tree_plan.hpp>
#include <topomp/algorithm/tree_up.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace topo::detail {

/// The way of `all_gather_lanes` backwards: in each node the lane's ranks add up all blocks that are for
/// ranks of their lanes, along each lane each rank gets the sum of the blocks for its group, and of these the
/// ranks in no lane get theirs.
class reduce_scatter_lanes final : public operation {
public:
    /// @param mine where the calling rank's block goes; may lie in `input`, which is read before the first
    /// message
    void start(team& everybody, const tree_plan& plan, const blocks& input, const message& mine,
               combination how) {
        team& ranks = how.is_commutative ? everybody : everybody.in_rank_order();
        const auto order = how.is_commutative ? operand_order::any : operand_order::of_ranks;
        auto& rows = ranks.kept<lane_rows>();
        const auto& layout = ranks.kept<lane_layout>();
        ranks_ = &ranks;
        row_ = &rows.row();
        trees_ = &rows.trees_of(plan, order);
        mine_ = mine;
        how_ = how;
        type_ = input.type;
        layout_ = type_layout{type_};
        segment_bytes_ = plan.segment_bytes;
        lane_ = layout.number() % layout.lanes();
        node_ = layout.node_number();
        is_in_lane_ = layout.number() < layout.lanes();
        first_ = layout.node()[static_cast<std::size_t>(lane_)];
        tags_.clear();
        for (int i = 0; i < layout.lanes() + row_->nodes + 1; ++i)
            tags_.push_back(ranks.next_tag());
        copy_in_row(input);
        go_inside();
    }

private:
    enum class phase { inside, along, handing_out, done };

    /// The operands in the order of the row: then those for a lane, or a group, are one message.
    void copy_in_row(const blocks& input) {
        begin_.assign(1, 0);
        for (const int rank : row_->ranks)
            begin_.push_back(begin_.back() + input.count_of(rank));
        operands_.reserve(layout_.span(begin_.back()));
        for (std::size_t i = 0; i < row_->ranks.size(); ++i) {
            const message block = input.block_of(row_->ranks[i], layout_);
            const message copy = in_cell(operands_, begin_[i], block.count);
            in_countable_pieces(block, [&](std::size_t first, int count) {
                copy_elements(layout_.element(block.data, first), layout_.element(copy.data, first), count,
                              block.type);
            });
        }
    }

    message in_cell(const cell& memory, std::size_t first, std::size_t count) const {
        return {layout_.element(memory.data() - layout_.true_lower, first), count, type_};
    }
    /// Where the elements for so many groups from one on begin in the row, and how many they are.
    struct range {
        std::size_t first, count;
    };
    range of_groups(int lane, int node, int groups) const {
        const std::size_t group = row_->group(lane, node);
        const std::size_t first = begin_[row_->begin[group]];
        return {first, begin_[row_->begin[group + static_cast<std::size_t>(groups)]] - first};
    }

    void go(std::size_t i, const tree_edges& edges, int tag, const message& operands, cell& sum) {
        message result{nullptr, operands.count, operands.type};
        if (edges.parent < 0) {
            sum.reserve(layout_.span(operands.count));
            result.data = sum.data() - layout_.true_lower;
        }
        ups_[i].start(ranks_->wire(), tag, edges, operands.data, result, how_, cut(operands, segment_bytes_),
                      slots_);
    }

    void go_inside() {
        phase_ = phase::inside;
        slots_.clear();
        trees_running_ = trees_->inside.size();
        ups_.resize(std::max(ups_.size(), trees_running_));
        for (std::size_t i = 0; i < trees_running_; ++i) {
            const range all = of_groups(static_cast<int>(i), 0, row_->nodes);
            go(i, trees_->inside[i], tags_[i], in_cell(operands_, all.first, all.count), node_sums_);
        }
    }

    void go_along() {
        phase_ = phase::along;
        slots_.clear();
        trees_running_ = trees_->along.size();
        ups_.resize(std::max(ups_.size(), trees_running_));
        const std::size_t lane_begin = of_groups(lane_, 0, 1).first;
        for (std::size_t i = 0; i < trees_running_; ++i) {
            const range group = of_groups(lane_, static_cast<int>(i), 1);
            go(i, trees_->along[i], tags_[trees_->inside.size() + i],
               in_cell(node_sums_, group.first - lane_begin, group.count), sums_);
        }
    }

    void hand_out() {
        phase_ = phase::handing_out;
        slots_.clear();
        const int tag = tags_.back();
        if (!is_in_lane_)
            return in_.start(mine_, type_layout{mine_.type}, first_, tag, ranks_->wire(), slots_);
        const std::size_t group = row_->group(lane_, node_);
        const auto members = row_->members(group);
        outs_.resize(std::max(outs_.size(), members.size()));
        for (std::size_t i = 0; i < members.size(); ++i) {
            const std::size_t at = row_->begin[group] + i;
            const message block =
                in_cell(sums_, begin_[at] - begin_[row_->begin[group]], begin_[at + 1] - begin_[at]);
            if (members[i] != ranks_->rank())
                outs_[i].start(block, layout_, members[i], tag, ranks_->wire(), slots_);
            else
                copy_block(block, mine_, temporary_);
        }
    }

    bool are_up() {
        bool is_done = true;
        for (std::size_t i = 0; i < trees_running_; ++i)
            is_done = ups_[i].advance() && is_done;
        return is_done;
    }

    bool advance() override {
        if (phase_ == phase::inside && are_up()) go_along();
        if (phase_ == phase::along && are_up()) hand_out();
        if (phase_ == phase::handing_out && are_free(slots_, 0)) {
            in_.finish();
            phase_ = phase::done;
        }
        return phase_ == phase::done;
    }

    team* ranks_ = nullptr;
    const lane_row* row_ = nullptr;
    const lane_row::trees* trees_ = nullptr;
    message mine_;
    MPI_Datatype type_ = MPI_DATATYPE_NULL; ///< of the operands
    combination how_;
    type_layout layout_{MPI_BYTE};
    std::size_t segment_bytes_ = 0;
    int lane_ = 0, node_ = 0;
    int first_ = 0; ///< the lane's rank in the own node
    bool is_in_lane_ = false;
    phase phase_ = phase::done;
    std::vector<int> tags_;
    std::vector<std::size_t> begin_; ///< of each rank's elements in the row, and the end
    cell operands_;                  ///< of all blocks in the order of the row
    cell node_sums_;                 ///< of the blocks for the own lane
    cell sums_;                      ///< of the blocks for the own group
    std::vector<tree_up> ups_;
    std::size_t trees_running_ = 0;
    cell temporary_;
    incoming_block in_;
    std::vector<outgoing_block> outs_;
};

inline void lane_reduce_scatter(team& ranks, const tree_plan& plan, const blocks& input, std::size_t elements,
                                const message& mine, combination how) {
    if (!ranks.kept<lane_rows>().has_tags())
        return run(ranks.pool<reduce_scatter_tree>(),
                   [&](reduce_scatter_tree& op) { op.start(ranks, plan, input, elements, mine, how); });
    run(ranks.pool<reduce_scatter_lanes>(),
        [&](reduce_scatter_lanes& op) { op.start(ranks, plan, input, mine, how); });
}

} // namespace topo::detail
