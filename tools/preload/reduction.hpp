// SPDX-License-Identifier: BSL-1.0
/// @file
/// The arguments of what combines.
#pragma once

#include "intercept.hpp"
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
    int count;
    MPI_Datatype type;
    MPI_Op op;

    /// @param has_result whether this rank gets one
    bool is_sound(bool has_result = true) const {
        if (op == MPI_OP_NULL || (has_result && input == result) || is_known_misfit()) return false;
        if (input == MPI_IN_PLACE) return has_result && preload::is_sound(result, count, type);
        return preload::is_sound(input, count, type) && (!has_result || result != nullptr || count == 0);
    }
    /// Bytes know operations of bits only. What topomp would find out where ranks combine, the MPI's own says
    /// to all.
    bool is_known_misfit() const {
        if (type != MPI_BYTE) return false;
        for (const MPI_Op each :
             {MPI_MAX, MPI_MIN, MPI_SUM, MPI_PROD, MPI_LAND, MPI_LOR, MPI_LXOR, MPI_MINLOC, MPI_MAXLOC})
            if (op == each) return true;
        return false;
    }
    const void* from() const { return input == MPI_IN_PLACE ? result : input; }
    message to() const { return message_of(result, count, type); }
    detail::combination how() const { return {op, mpi::op_is_commutative(op)}; }
    /// Whether the MPI has the operation, not the program.
    bool is_by_mpi() const {
        for (const MPI_Op each : {MPI_MAX, MPI_MIN, MPI_SUM, MPI_PROD, MPI_LAND, MPI_LOR, MPI_LXOR, MPI_BAND,
                                  MPI_BOR, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC})
            if (op == each) return true;
        return false;
    }
    std::uint64_t bytes() const { return bytes_or_zero(count, type); }
};

} // namespace topo::preload
