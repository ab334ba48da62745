// SPDX-License-Identifier: BSL-1.0
/// @file
/// Calls that an MPI refuses on the rank that makes them, because a buffer would be copied to itself.
#pragma once

#include "counts.hpp"

#include <mpi.h>

#include <cstdlib>
#include <string_view>

namespace topo::preload {

/// Whether the MPI refuses blocks that lie where they belong, without MPI_IN_PLACE. Open MPI takes them.
inline bool refuses_own_blocks() {
#ifdef MPICH_VERSION
    static const bool does = [] {
        const char* const asked = std::getenv("MPIR_CVAR_COLL_ALIAS_CHECK");
        return asked == nullptr || std::string_view{asked} != "0";
    }();
    return does;
#else
    return false;
#endif
}

/// Whether an address is that of an element behind another one, counted in bytes of data, as MPICH does.
inline bool lies_at(const void* mine, const void* all, MPI_Count elements, MPI_Datatype type) {
    MPI_Count size = 0;
    if (MPI_Type_size_x(type, &size) != MPI_SUCCESS) return false;
    const auto bytes = static_cast<MPI_Aint>(elements * size);
    return mine == static_cast<const char*>(all) + bytes;
}

/// A rank's own block among all that it gathers or scatters.
struct own_place {
    const void* mine;
    MPI_Count count;
    MPI_Datatype type;
    const void* all;
    MPI_Datatype all_type;
    int rank; ///< the caller's

    /// @param each the length of blocks, in elements
    bool is_refused(MPI_Count each) const {
        return is_doubtful() && count == each && lies_at(mine, all, rank * each, type);
    }
    /// The same of blocks of different lengths.
    bool is_refused(number_list counts, number_list displacements) const {
        return is_doubtful() && counts[rank] != 0 && lies_at(mine, all, displacements[rank], type);
    }

private:
    bool is_doubtful() const {
        return refuses_own_blocks() && mine != MPI_IN_PLACE && count > 0 && type == all_type;
    }
};

} // namespace topo::preload
