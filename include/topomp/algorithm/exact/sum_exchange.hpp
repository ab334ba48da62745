// SPDX-License-Identifier: BSL-1.0
/// @file
/// Sums that are rounded once, between the ranks of a lane.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/rounds/exchange_operation.hpp>
#include <topomp/core/detail/function_ref.hpp>

#include <cstddef>
#include <span>

namespace topo::detail {

/// A reduce-scatter of blocks, after which each rank rounds the sums that it has, and for sums that all ranks
/// get an all-gather of these numbers: Rabenseifner's algorithm.
/// @cost between nodes (1 + b) / 2 times the bytes of an all_reduce of numbers, a number of which takes b
/// times its bytes in a block; b times those of a reduce_scatter
template <class Block>
class sum_exchange final : public exchange_operation {
public:
    using T = typename Block::number;
    /// Writes the own operands of the section of a rank.
    using section_loader = function_ref<void(int rank, std::span<Block>)>;

    /// @param sums where those of all blocks go on each rank
    void start(context& ranks, T* sums, std::size_t blocks, int radix,
               function_ref<void(std::span<Block>)> load);

    /// @param sums where those of the rank's section go @param sections how many blocks each rank gets
    /// @pre the number of ranks is a product of numbers up to `radix`
    void start_scatter(context& ranks, T* sums, std::span<const std::size_t> sections, int radix,
                       section_loader load);

private:
    bool play_next() override;
    std::span<Block> begin_blocks(context& ranks, T* sums, std::size_t blocks, int radix);

    T* sums_ = nullptr;
    int splits_ = 0;
    bool gathers_ = false, is_rounded_ = false;
    scratch_buffer work_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/exact/impl/sum_exchange.ipp>
#endif
