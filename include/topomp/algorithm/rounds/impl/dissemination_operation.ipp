// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/rounds/dissemination_operation.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

namespace topo::detail {

TOPOMP_INLINE void dissemination_operation::start(context& ranks) {
    slots_.assign(2, MPI_REQUEST_NULL);
    private_comm_ = ranks.private_comm();
    tag_ = ranks.next_tag();
    order_ = &ranks.order();
    distance_ = 1;
}

TOPOMP_INLINE bool dissemination_operation::advance() {
    while (are_free(slots_, 0)) {
        if (distance_ >= order_->size()) return true;
        mpi::check(MPI_Irecv(nullptr, 0, MPI_BYTE, order_->at(-distance_), tag_, private_comm_, &slots_[0]),
                   "MPI_Irecv", "signal of a barrier");
        mpi::check(mpi::isend(nullptr, 0, MPI_BYTE, order_->at(distance_), tag_, private_comm_, &slots_[1]),
                   "MPI_Isend", "signal of a barrier");
        distance_ *= 2;
    }
    return false;
}

} // namespace topo::detail
