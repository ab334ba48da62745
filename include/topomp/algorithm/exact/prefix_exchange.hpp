// SPDX-License-Identifier: BSL-1.0
/// @file
/// The sums before each rank of a lane.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/rounds/exchange_operation.hpp>

#include <cstddef>
#include <span>

namespace topo::detail {

/// An exclusive scan of blocks: in each round a rank gets the sums of twice as many ranks before it.
/// @cost log2 p rounds for p ranks, of all blocks each, and of as many again in the first
/// @see W. D. Hillis, G. L. Steele: Data Parallel Algorithms (1986)
template <class Block>
class prefix_exchange final : public exchange_operation {
public:
    /// @param sums the rank's operands; afterwards the sums before it, on rank 0 those of nothing
    void start(context& ranks, std::span<Block> sums);

private:
    void finish() override;

    std::span<Block> sums_;
    scratch_buffer work_; ///< the operands, and the sums so far
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/exact/impl/prefix_exchange.ipp>
#endif
