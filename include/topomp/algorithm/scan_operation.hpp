// SPDX-License-Identifier: BSL-1.0
/// @file
/// Everybody's data combined with that of all ranks before it.
#pragma once

#include <topomp/algorithm/operation.hpp>
#include <topomp/algorithm/segments.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/algorithm/tree_operations.hpp>
#include <topomp/algorithm/tree_plan.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace topo::detail {

enum class scan_kind { inclusive, exclusive };

/// Up a tree whose subtrees are intervals of ranks, each rank notes what comes before each of its children;
/// down the tree, everybody learns what comes before its own interval. Twice the depth of the tree instead of
/// a chain of all ranks, and in the order of ranks for any operation.
class scan_operation final : public operation {
public:
    /// @param result where the scan goes; for rank 0 of an exclusive scan nothing is written
    /// @pre the plan keeps the order
    void start(team& all, const tree_plan& plan, const void* input, const message& result, MPI_Op op,
               scan_kind kind) {
        team& ranks = all.for_operands(plan, operand_order::of_ranks);
        wire_ = ranks.wire();
        up_tag_ = ranks.next_tag();
        down_tag_ = ranks.next_tag();
        edges_ = &ranks.edges_for(plan, 0, operand_order::of_ranks);
        input_ = input;
        result_ = result;
        op_ = op;
        kind_ = kind;
        layout_ = type_layout{result.type};
        pieces_ = cut(result, plan.segment_bytes);
        make_cells();
        slots_.assign(2 * edges_->operands.size() + 2, MPI_REQUEST_NULL);
        segment_ = 0;
        stage_ = stage::begin;
    }

private:
    enum class stage { begin, gathering, telling, ending };

    /// One segment after the other.
    bool advance() override {
        while (segment_ < pieces_.number) {
            if (!are_free(slots_, 0)) return false;
            switch (stage_) {
            case stage::begin:
                receive_totals();
                break;
            case stage::gathering:
                pass_up();
                break;
            case stage::telling:
                pass_down();
                break;
            case stage::ending:
                ++segment_;
                stage_ = stage::begin;
                break;
            }
        }
        return true;
    }

    std::size_t children() const { return edges_->operands.size(); }
    int length() const { return pieces_.length(segment_); }
    const void* mine() const { return layout_.element(input_, pieces_.first(segment_)); }
    void* target() const { return layout_.element(result_.data, pieces_.first(segment_)); }

    void make_cells() {
        const std::size_t length = std::min(pieces_.per_segment, pieces_.count);
        cell_bytes_ = (layout_.span(length) + 63) / 64 * 64;
        const std::size_t needed = cell_bytes_ * (children() + 3) + 64;
        if (cells_.size() < needed) cells_.resize(needed);
    }
    void* cell(std::size_t number) {
        const auto raw = reinterpret_cast<std::uintptr_t>(cells_.data());
        return reinterpret_cast<std::byte*>((raw + 63) / 64 * 64) + number * cell_bytes_ - layout_.true_lower;
    }
    /// Child k's total, which then becomes everything of this subtree up to and with child k.
    void* up_to(std::size_t child) { return cell(child); }
    void* own() { return cell(children()); }
    void* before() { return cell(children() + 1); }
    void* passed() { return cell(children() + 2); }

    void copy(const void* from, void* to) { copy_elements(from, to, length(), result_.type); }
    void combine(const void* left, void* right) {
        mpi::check(MPI_Reduce_local(left, right, length(), result_.type, op_), "MPI_Reduce_local",
                   "operands");
    }

    void receive_totals() {
        for (std::size_t k = 0; k < children(); ++k)
            mpi::check(MPI_Irecv(up_to(k), length(), result_.type, edges_->operands[k].rank, up_tag_, wire_,
                                 &slots_[k]),
                       "MPI_Irecv", "total of a subtree");
        copy(mine(), own()); // the input may be the result, which is written before the end
        stage_ = stage::gathering;
    }

    void pass_up() {
        for (std::size_t k = 0; k < children(); ++k)
            combine(k == 0 ? own() : up_to(k - 1), up_to(k));
        if (edges_->parent >= 0) {
            const void* const total = children() == 0 ? own() : up_to(children() - 1);
            mpi::check(
                MPI_Isend(total, length(), result_.type, edges_->parent, up_tag_, wire_, &slots_[children()]),
                "MPI_Isend", "total of a subtree");
            mpi::check(MPI_Irecv(before(), length(), result_.type, edges_->parent, down_tag_, wire_,
                                 &slots_[children() + 1]),
                       "MPI_Irecv", "everything before");
        }
        stage_ = stage::telling;
    }

    /// Before child k comes everything before this rank, the rank itself, and its children before k.
    void pass_down() {
        const bool is_first = edges_->parent < 0;
        for (std::size_t k = children(); k-- > 0;) {
            // What was 'up to k-1' is sent to child k; with what is before this rank in front.
            void* const front = k == 0 ? passed() : up_to(k - 1);
            if (k == 0) copy(own(), passed());
            if (!is_first) combine(before(), front);
            mpi::check(MPI_Isend(front, length(), result_.type, edges_->operands[k].rank, down_tag_, wire_,
                                 &slots_[children() + 2 + k]),
                       "MPI_Isend", "everything before");
        }
        if (kind_ == scan_kind::exclusive) {
            if (!is_first) copy(before(), target());
        } else {
            if (!is_first) combine(before(), own());
            copy(own(), target());
        }
        stage_ = stage::ending;
    }

    MPI_Comm wire_ = MPI_COMM_NULL;
    int up_tag_ = 0, down_tag_ = 0;
    const tree_edges* edges_ = nullptr;
    const void* input_ = nullptr;
    message result_;
    MPI_Op op_ = MPI_OP_NULL;
    scan_kind kind_ = scan_kind::inclusive;
    type_layout layout_{MPI_BYTE};
    segments pieces_;
    std::vector<std::byte> cells_;
    std::size_t cell_bytes_ = 0;
    std::size_t segment_ = 0;
    stage stage_ = stage::begin;
};

} // namespace topo::detail
