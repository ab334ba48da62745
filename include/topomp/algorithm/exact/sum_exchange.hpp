// SPDX-License-Identifier: BSL-1.0
/// @file
/// An all-reduce of sums that are rounded once, between the ranks of a lane.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/rounds/exchange_operation.hpp>
#include <topomp/core/detail/function_ref.hpp>

#include <cstddef>
#include <span>

namespace topo::detail {

/// Rabenseifner's algorithm: a reduce-scatter of blocks, and an all-gather of numbers, to which each rank
/// rounds the sums that it has between the two.
/// @cost between nodes (1 + b) / 2 times the bytes of an all_reduce of numbers, a number of which takes b
/// times its bytes in a block
template <class Block>
class sum_exchange final : public exchange_operation {
public:
    using T = typename Block::number;

    /// @param sums where the sums of so many columns go on each rank @param load writes the own operands
    void start(context& ranks, T* sums, std::size_t count, int radix,
               function_ref<void(std::span<Block>)> load);

private:
    bool play_next() override;

    T* sums_ = nullptr;
    std::size_t count_ = 0;
    int splits_ = 0;
    bool is_rounded_ = false;
    scratch_buffer work_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/exact/impl/sum_exchange.ipp>
#endif
