// SPDX-License-Identifier: BSL-1.0
/// @file
/// Blocks with a datatype each.
#pragma once

#include "accepted.hpp"
#include "counts.hpp"
#include "located.hpp"
#include <topomp/core/message.hpp>

#include <mpi.h>

#include <cstdint>
#include <forward_list>

namespace topo::preload {

/// What a rank gives to others or gets from them: to all ranks of a communicator or to its neighbours.
struct typed_side {
    const void* data;
    number_list counts, displacements; ///< the latter in bytes
    const MPI_Datatype* types;

    /// Whether the MPI accepts it. A side without others is not looked at.
    bool is_accepted(int others) const {
        if (others == 0) return true;
        if (data == MPI_IN_PLACE || counts.is_null() || displacements.is_null() || types == nullptr)
            return false;
        for (int i = 0; i < others; ++i)
            if (counts[i] == 0 ? !takes_none_of(types[i]) : !accepts(address(i), counts[i], types[i]))
                return false;
        return true;
    }
    /// Of one block. Those of no elements may have no datatype.
    std::uint64_t bytes_of(int other) const { return bytes_or_zero(counts[other], types[other]); }
    std::uint64_t bytes(int others) const {
        std::uint64_t sum = 0;
        for (int i = 0; i < others && !counts.is_null(); ++i)
            sum += bytes_of(i);
        return sum;
    }
    /// @param moved keeps the datatype of a block at an absolute address
    message block(int other, std::forward_list<located>& moved) const {
        if (counts[other] == 0) return {};
        const message given = message_of(address(other), counts[other], types[other]);
        if (given.data != MPI_BOTTOM) return given;
        const located& there = moved.emplace_front(given.data, given.count, given.type);
        return {there.data(), given.count, there.type()};
    }

private:
    /// The data may be MPI_BOTTOM, and displacements absolute addresses.
    const void* address(int other) const {
        const auto first = reinterpret_cast<MPI_Aint>(data) + static_cast<MPI_Aint>(displacements[other]);
        return reinterpret_cast<const void*>(first); // NOLINT(performance-no-int-to-ptr): it is one
    }
};

} // namespace topo::preload
