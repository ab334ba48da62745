// SPDX-License-Identifier: BSL-1.0
/// @file
/// The arguments of what combines.
#pragma once

#include "intercept.hpp"
#include <topomp/core/detail/combination.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <mpi.h>

#include <cstdint>

namespace topo::preload {

/// An operand of a reduction and where its result goes.
struct reduction {
    const void* input;
    void* result;
    MPI_Count count;
    MPI_Datatype type;
    MPI_Op op;

    /// Whether the MPI accepts the arguments of the calling rank.
    /// @param has_result whether this rank gets one @param own the MPI's own call, on the communicator given
    /// to it, where the calling rank is the only one
    template <class Own>
    bool is_accepted(bool has_result, Own own) const {
        if (!preload::is_accepted(op, type)) return false;
        if (!has_result) return accepts(input, count, type);
        if (!accepts(result, count, type)) return false;
        if (input == MPI_IN_PLACE) return true;
        if (!accepts(input, count, type)) return false;
        // MPIs refuse this or take it as in place.
        if (input != result) return true;
        const quiet_world quiet;
        return own(asking_communicator()) == MPI_SUCCESS;
    }
    /// Whether the calling rank has a result of a scan. Open MPI does not look where that of the first rank
    /// of an exclusive one would go, which need not be anywhere; MPICH does.
    bool has_scan([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] bool is_inclusive) const {
#ifdef MPICH_VERSION
        return true;
#else
        return is_inclusive || input == MPI_IN_PLACE || ranks{comm}.mine != 0;
#endif
    }
    const void* from() const { return input == MPI_IN_PLACE ? result : input; }
    message operand() const { return message_of(input, count, type); }
    message to() const { return message_of(result, count, type); }
    detail::combination combiner() const { return {op, mpi::op_is_commutative(op)}; }
    /// Whether all that is applied is the MPI's own.
    bool is_by_mpi() const { return preload::is_by_mpi(op); }
    std::uint64_t bytes() const { return bytes_or_zero(count, type); }
};

} // namespace topo::preload
