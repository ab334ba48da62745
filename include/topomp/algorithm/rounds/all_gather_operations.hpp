// SPDX-License-Identifier: BSL-1.0
/// @file
/// Every rank's block to all ranks: along a tree, around a ring, among neighbours, in doubling steps.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/schedule/exchange_order.hpp>
#include <topomp/algorithm/tree/block_sizes.hpp>
#include <topomp/algorithm/tree/block_transfer.hpp>
#include <topomp/algorithm/tree/gather_up.hpp>
#include <topomp/algorithm/tree/tree_down.hpp>
#include <topomp/core/detail/inline.hpp>

#include <boost/mpi/config.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace topo::detail {

/// Up a tree to rank 0 and down again, as bytes in the order of ranks. For short blocks: the least messages.
class all_gather_tree final : public operation {
public:
    void start(context& ranks, const tree_plan& plan, const message& mine, const blocks& result);

private:
    TOPOMP_INLINE bool advance() override;

    /// Whether the blocks lie one behind the other in the order of ranks.
    bool is_in_rank_order() const;

    void go_down();

    /// Calls `f(block, its layout, its bytes in the scratch buffer)`.
    template <class F>
    void for_each_block(F f) {
        std::byte* bytes = scratch_.data();
        for (int rank = 0; rank < ranks_->private_comm().size(); ++rank) {
            const message block = result_.block_of(rank, layout_);
            f(block, layout_, bytes);
            bytes += block.count * layout_.size;
        }
    }

    context* ranks_ = nullptr;
    const tree_edges* edges_ = nullptr;
    block_sizes sizes_;
    blocks result_;
    type_layout layout_{MPI_BYTE};
    scratch_buffer scratch_; ///< all blocks one behind the other, if the result has another layout
    std::size_t bytes_ = 0;
    std::size_t segment_bytes_ = 0;
    int down_tag_ = 0;
    bool is_up_ = false;
    bool is_direct_ = true;
    bool is_unpacked_ = true;
    gather_up up_;
    tree_down down_;
};

/// What ranks exchange step by step in hierarchy order.
class all_gather_in_steps : public operation {
public:
    void start(context& ranks, const exchange_order& order, const blocks& result);

protected:
    MPI_Comm private_comm_ = MPI_COMM_NULL;
    int tag_ = 0;
    const exchange_order* order_ = nullptr;
    blocks result_;
    type_layout layout_{MPI_BYTE};
    int step_ = 0;
};

/// Around a ring in hierarchy order: p - 1 steps, in each of which every rank forwards the block that it
/// received in the last. For long blocks: every link carries every block once.
class all_gather_ring final : public all_gather_in_steps {
    TOPOMP_INLINE bool advance() override;

    incoming_block in_;
    outgoing_block out_;
};

/// Neighbour exchange in hierarchy order, which makes pairs of the ranks: p / 2 steps, in each of which every
/// rank exchanges with one of its two neighbours in turn what came in the last, the blocks of a pair. As many
/// bytes as around a ring, in messages of two blocks. @pre the number of ranks is even
class all_gather_neighbours final : public all_gather_in_steps {
    TOPOMP_INLINE bool advance() override;

    /// What is received in a step; in step 0 it is the calling rank's own pair.
    int pair_of_step(int step) const;

    /// Calls `f(message, which)` for the blocks of a pair: for one message if all ranks know that they lie
    /// one behind the other.
    template <class F>
    void for_messages(int pair, F f) const {
        const std::span<const int> both{&order_->ranks[static_cast<std::size_t>(2 * pair)], 2};
        if (result_.counts.empty() && both[1] == both[0] + 1) return f(result_.run_of(both, layout_), 0U);
        f(result_.block_of(both[0], layout_), 0U);
        f(result_.block_of(both[1], layout_), 1U);
    }

    std::array<incoming_block, 2> in_;
    std::array<outgoing_block, 2> out_;
};

/// Bruck's: the number of blocks that a rank has doubles in each step, so log2 p steps for any p.
class all_gather_bruck final : public operation {
public:
    void start(context& ranks, const exchange_order& order, const blocks& result);

private:
    TOPOMP_INLINE bool advance() override;

    void exchange();

    MPI_Comm private_comm_ = MPI_COMM_NULL;
    int tag_ = 0;
    const exchange_order* order_ = nullptr;
    blocks result_;
    type_layout layout_{MPI_BYTE};
    std::vector<std::size_t> begin_;
    scratch_buffer scratch_; ///< blocks in the order in which they arrive
    int have_ = 0;
    int coming_ = 0;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/rounds/impl/all_gather_operations.ipp>
#endif
