// SPDX-License-Identifier: BSL-1.0
/// @file
/// Calls that an MPI refuses on the rank that makes them, because a buffer would be copied to itself.
///
/// They are left to the MPI before anything else is thought of: other ranks need not be in the call.
#pragma once

#include "process.hpp"

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

/// The calling rank in a communicator; -1 where no call is topomp's anyway.
inline int rank_in(MPI_Comm comm) {
    int rank = -1;
    if (!process::self().is_on.load(std::memory_order_relaxed) || comm == MPI_COMM_NULL) return -1;
    return MPI_Comm_rank(comm, &rank) == MPI_SUCCESS ? rank : -1;
}

/// Whether an address is that of an element behind another one, counted in bytes of data, as MPICH does.
inline bool lies_at(const void* mine, const void* all, int elements, MPI_Datatype type) {
    int size = 0;
    if (MPI_Type_size(type, &size) != MPI_SUCCESS) return false;
    const auto bytes = static_cast<MPI_Aint>(elements) * size;
    return mine == static_cast<const char*>(all) + bytes;
}

/// A rank's own block among all that it gathers or scatters.
struct own_place {
    const void* mine;
    int count;
    MPI_Datatype type;
    const void* all;
    MPI_Datatype all_type;
    MPI_Comm comm;

    /// @param each the length of blocks, in elements
    bool is_refused(int each) const {
        if (!is_doubtful() || count != each) return false;
        const int rank = rank_in(comm);
        return rank >= 0 && lies_at(mine, all, rank * each, type);
    }
    /// The same of a call with a root.
    bool is_refused_on(int root, int each) const {
        return is_doubtful() && rank_in(comm) == root && is_refused(each);
    }
    /// The same of blocks of different lengths.
    bool is_refused(const int* counts, const int* displacements) const {
        if (!is_doubtful() || counts == nullptr || displacements == nullptr) return false;
        const int rank = rank_in(comm);
        return rank >= 0 && counts[rank] != 0 && lies_at(mine, all, displacements[rank], type);
    }
    bool is_refused_on(int root, const int* counts, const int* displacements) const {
        return is_doubtful() && rank_in(comm) == root && is_refused(counts, displacements);
    }

private:
    bool is_doubtful() const {
        return refuses_own_blocks() && mine != MPI_IN_PLACE && count > 0 && type == all_type &&
               type != MPI_DATATYPE_NULL;
    }
};

} // namespace topo::preload
