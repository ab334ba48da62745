// SPDX-License-Identifier: BSL-1.0
/// @file
/// Every rank's data combined with that of all ranks before it.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/segments.hpp>
#include <topomp/algorithm/tree/scan_kind.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/algorithm/tree/tree_up.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <vector>

namespace topo::detail {

/// Up a tree whose subtrees are intervals of ranks, each rank stores the sum before each of its children;
/// down the tree, each rank receives the sum before its own interval. Twice the depth of the tree instead of
/// a chain of all ranks, and in the order of ranks for any operation.
class scan_operation final : public operation {
public:
    /// @param result where the scan goes; for rank 0 of an exclusive scan nothing is written
    /// @pre the plan preserves the order
    void start(context& all, const tree_plan& plan, const void* input, const message& result, MPI_Op op,
               scan_kind kind);

private:
    enum class stage { begin, gathering, telling, ending };

    /// One segment after the other.
    TOPOMP_INLINE bool advance() override;

    std::size_t children() const { return edges_->operands.size(); }
    int length() const { return pieces_.length(segment_); }
    const void* mine() const { return layout_.element(input_, pieces_.first(segment_)); }
    void* target() const { return layout_.element(result_.data, pieces_.first(segment_)); }

    void make_scratch();
    void* scratch_buffer(std::size_t number);
    /// Child k's total, which then becomes the sum of this subtree up to and including child k.
    void* up_to(std::size_t child) { return scratch_buffer(child); }
    void* own() { return scratch_buffer(children()); }
    void* before() { return scratch_buffer(children() + 1); }
    void* passed() { return scratch_buffer(children() + 2); }

    void copy(const void* from, void* to) { copy_elements(from, to, length(), result_.type); }
    void combine(const void* left, void* right);

    void receive_totals();

    void pass_up();

    /// The sum before child k: everything before this rank, the rank itself, and its children before k.
    void pass_down();

    MPI_Comm private_comm_ = MPI_COMM_NULL;
    int up_tag_ = 0, down_tag_ = 0;
    const tree_edges* edges_ = nullptr;
    const void* input_ = nullptr;
    message result_;
    MPI_Op op_ = MPI_OP_NULL;
    scan_kind kind_ = scan_kind::inclusive;
    type_layout layout_{MPI_BYTE};
    segments pieces_;
    std::vector<std::byte> scratch_;
    std::size_t scratch_bytes_ = 0;
    std::size_t segment_ = 0;
    stage stage_ = stage::begin;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/tree/impl/scan_operation.ipp>
#endif
