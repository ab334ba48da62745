// SPDX-License-Identifier: BSL-1.0
/// @file
/// The dissemination barrier.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/schedule/exchange_order.hpp>
#include <topomp/core/detail/inline.hpp>

#include <boost/mpi/config.hpp>

namespace topo::detail {

/// Step k, of ceil(log2 p): a message to the rank 2^k positions ahead in hierarchy order, and one from the
/// rank 2^k positions behind. After it, each rank depends on 2^(k+1) ranks.
///
/// @see Hensgen, Finkel and Manber: Two algorithms for barrier synchronization (1988)
class dissemination_operation final : public operation {
public:
    void start(context& ranks);

private:
    TOPOMP_INLINE bool advance() override;

    MPI_Comm private_comm_ = MPI_COMM_NULL;
    int tag_ = 0;
    const exchange_order* order_ = nullptr;
    int distance_ = 1;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/rounds/impl/dissemination_operation.ipp>
#endif
