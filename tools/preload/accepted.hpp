// SPDX-License-Identifier: BSL-1.0
/// @file
/// What the MPI's own argument checks find on the calling rank.
///
/// A call that the MPI refuses is left to the MPI before anything else is thought of. So the error is the
/// MPI's, on the ranks on which the MPI gives it, and a rank that made a mistake needs no other rank to be
/// told so. A call that the MPI accepts on this rank must not be left to it here, for other ranks rely on
/// this one. So what is not certain is asked from the MPI, by calls that move nothing.
#pragma once

#include <mpi.h>

#include <mutex>

namespace topo::preload {

/// Whether collectives take elements of a datatype: it is there, and committed.
/// @cost one comparison for the MPI's own type that was the last; else a few calls that move nothing
bool is_accepted(MPI_Datatype type);

/// Whether collectives take a block of no elements of a datatype: MPIs differ in whether they look at it.
bool takes_none_of(MPI_Datatype type);

/// Whether an operation is there and combines elements of a datatype that is accepted. Those for one-sided
/// calls are not, which all ranks see alike.
/// @cost as above for an operation and a datatype of the MPI's own
bool is_accepted(MPI_Op op, MPI_Datatype type);

/// Whether an operation is one of MPI's reductions, not the program's.
bool is_by_mpi(MPI_Op op);

/// Whether collectives take this as elements that a rank gives or gets. @param count of `data`
bool is_accepted(const void* data, int count, MPI_Datatype type);

/// Whether none of the lengths of blocks is negative.
bool all_lengths(const int* counts, int number);

/// Whether collectives take blocks of one datatype, one of each rank.
bool are_accepted(const void* data, const int* counts, const int* displacements, MPI_Datatype type,
                  int ranks);

/// The calling rank in a communicator, and how many there are. Local
struct ranks {
    explicit ranks(MPI_Comm comm);
    bool has(int root) const { return root >= 0 && root < size; }

    int mine = 0, size = 0;
};

/// A communicator of the calling rank only, on which errors are returned: where the MPI is asked.
/// Made at its first use, while MPI runs; never freed, as the MPI does that at its end.
MPI_Comm asking_communicator();

/// While it lives, errors on MPI_COMM_WORLD are returned: its handler is where Open MPI (4.1.4) takes some
/// errors of other communicators.
class quiet_world {
public:
    quiet_world();
    ~quiet_world();
    quiet_world(const quiet_world&) = delete;
    quiet_world& operator=(const quiet_world&) = delete;

private:
    std::unique_lock<std::mutex> alone_; ///< two threads would take each other's handler for the program's
    MPI_Errhandler before_ = MPI_ERRHANDLER_NULL;
};

} // namespace topo::preload
