// SPDX-License-Identifier: BSL-1.0
/// @file
/// The collectives that exchanges carry: all-reduce, reduce, broadcast, reduce-scatter, all-gather.
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/rounds/exchange_operation.hpp>
#include <topomp/core/detail/combination.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>

namespace topo::detail {

class all_reduce_exchange final : public exchange_operation {
public:
    /// Everything in each of log2 p steps, in the order of ranks where it matters.
    void start_doubling(context& ranks, const void* input, const message& result, combination combiner,
                        int radix);

    /// A byte in each round: no rank returns before all have called.
    void start_barrier(context& ranks, int radix);

    /// Divides blocks until they are short, exchanges these whole, and gathers. Without short blocks this is
    /// Rabenseifner's algorithm. @param whole_bytes the longest block that is short
    /// @pre `combiner` is commutative
    void start_halving(context& ranks, const void* input, const message& result, combination combiner,
                       int radix, std::size_t whole_bytes);

    /// The same with Bine's distances, down to blocks of single ranks. @pre `combiner` is commutative
    void start_bine(context& ranks, const void* input, const message& result, combination combiner);

    /// Twice around the ring. @pre `combiner` is commutative
    void start_ring(context& ranks, const void* input, const message& result, combination combiner);

    TOPOMP_INLINE bool start_again() override;

private:
    /// @pre the order is folded
    void halve(const void* input, const message& result, combination combiner, int splits);
    void go(const void* input, const message& result, combination combiner);
    void copy_input() {
        copy_block({const_cast<void*>(input_), result_.count, result_.type}, result_, temporary_);
    }

    void finish() override { copy_block({steps_.data(), result_.count, result_.type}, result_, temporary_); }

    const void* input_ = nullptr;
    message result_;
    scratch_buffer temporary_;
    std::byte signal_{};
};

/// Rabenseifner's algorithm: recursive halving, and a gather to the root.
class reduce_exchange final : public exchange_operation {
public:
    /// @param result the root's; elsewhere its count and type @pre `combiner` is commutative
    void start(context& ranks, const void* input, const message& result, combination combiner, int root,
               int radix);

    TOPOMP_INLINE bool start_again() override;

private:
    void copy_input() { copy_block({const_cast<void*>(input_), sum_.count, sum_.type}, sum_, temporary_); }

    const void* input_ = nullptr;
    message sum_;
    scratch_buffer work_, temporary_;
};

/// A scatter of blocks and an all-gather, the algorithm of R. van de Geijn.
class broadcast_exchange final : public exchange_operation {
public:
    void start(context& ranks, const message& what, int root, int radix);

    TOPOMP_INLINE bool start_again() override;
};

/// Every rank's block of the sum.
class reduce_scatter_exchange final : public exchange_operation {
public:
    /// @param input a block for each rank @param mine may lie in it @pre `combiner` is commutative
    void start_halving(context& ranks, const blocks& input, const message& mine, combination combiner,
                       int radix);

    /// Once around the ring.
    void start_ring(context& ranks, const blocks& input, const message& mine, combination combiner);

private:
    /// Copies the blocks into the order of the schedule's blocks.
    template <class PositionOf>
    void go(const blocks& input, const message& mine, combination combiner, PositionOf position_of) {
        mine_ = mine;
        layout_ = type_layout{input.type};
        begin_.push_back(0);
        for (int part = 0; part < size(); ++part)
            begin_.push_back(begin_.back() + input.count_of(rank_at(position_of(part))));
        work_.reserve(layout_.span(begin_.back()));
        const message work{work_.data() - layout_.true_lower, begin_.back(), input.type};
        for (int part = 0; part < size(); ++part)
            copy_block(input.block_of(rank_at(position_of(part)), layout_),
                       {layout_.element(work.data, begin_of(part)), length_of(part), input.type}, temporary_);
        play(work, combiner.op);
    }

    TOPOMP_INLINE void finish() override;

    message mine_;
    type_layout layout_{MPI_BYTE};
    int own_ = 0; ///< the calling rank's block
    scratch_buffer work_, temporary_;
};

/// Recursive doubling: the longest messages between neighbours, and a step before and after if the number of
/// ranks is no power of two.
class all_gather_doubling final : public exchange_operation {
public:
    /// @pre the calling rank's block is in its place
    void start(context& ranks, const blocks& result, int radix);

private:
    message block_at(int part) const;

    TOPOMP_INLINE void finish() override;

    blocks result_;
    type_layout layout_{MPI_BYTE};
    scratch_buffer work_; ///< all blocks as bytes, in the order of the schedule
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/rounds/impl/exchange_operations.ipp>
#endif
