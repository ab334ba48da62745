// SPDX-License-Identifier: BSL-1.0
/// @file
/// Exclusive scans in rounds.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/rounds/exchange_operation.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

namespace topo::detail {

/// In each round a rank receives what twice as many ranks before it have, combined in rank order.
/// @cost for p ranks 1 + log2((p - 1) / 2) rounds, of all operands each, and of as many again in the first
/// @see W. D. Hillis, G. L. Steele: Data Parallel Algorithms (1986)
class prefix_exchange final : public exchange_operation {
public:
    /// @param data the rank's operands, afterwards those of all ranks before it combined; unchanged on rank 0
    void start(context& ranks, const message& data, MPI_Op op);

private:
    TOPOMP_INLINE void finish() override;

    message data_;
    scratch_buffer work_, spare_; ///< `work_`: the operands, and what was combined so far
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/rounds/impl/prefix_exchange.ipp>
#endif
