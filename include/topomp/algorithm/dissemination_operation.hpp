// SPDX-License-Identifier: BSL-1.0
/// @file
/// A barrier in which everybody tells somebody further away in each step.
#pragma once

#include <topomp/algorithm/exchange_order.hpp>
#include <topomp/algorithm/operation.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/core/mpi.hpp>

#include <mpi.h>

namespace topo::detail {

/// Step k, of ceil(log2 p): a message to the rank 2^k places on in a row in which neighbours are near, and
/// one from the rank 2^k places back. After it, everybody has heard of 2^(k+1) ranks.
///
/// @see Hensgen, Finkel and Manber: Two algorithms for barrier synchronization (1988)
class dissemination_operation final : public operation {
public:
    void start(team& ranks) {
        slots_.assign(2, MPI_REQUEST_NULL);
        wire_ = ranks.wire();
        tag_ = ranks.next_tag();
        order_ = &ranks.order();
        distance_ = 1;
    }

private:
    bool advance() override {
        while (are_free(slots_, 0)) {
            if (distance_ >= order_->size()) return true;
            mpi::check(MPI_Irecv(nullptr, 0, MPI_BYTE, order_->at(-distance_), tag_, wire_, &slots_[0]),
                       "MPI_Irecv", "signal of a barrier");
            mpi::check(MPI_Isend(nullptr, 0, MPI_BYTE, order_->at(distance_), tag_, wire_, &slots_[1]),
                       "MPI_Isend", "signal of a barrier");
            distance_ *= 2;
        }
        return false;
    }

    MPI_Comm wire_ = MPI_COMM_NULL;
    int tag_ = 0;
    const exchange_order* order_ = nullptr;
    int distance_ = 1;
};

} // namespace topo::detail
