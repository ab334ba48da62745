// SPDX-License-Identifier: BSL-1.0
/// @file
/// Which communicators have a hierarchy.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <memory>

namespace topo::preload {

/// The hierarchy of a communicator; null if its calls are left to the MPI, which all its ranks see alike.
///
/// That of MPI_COMM_WORLD is built at the first call; others, under `automatic`, when the communicator's
/// calls have taken as long as it costs. It is cached on the communicator and freed with it. No hierarchy
/// have communicators with nothing to gain: of few ranks, of one rank on each node, of one node without
/// parts; inter-communicators; those of several programs, whose nodes are not known; and those beyond a
/// number of them, for MPIs do not have many communicators.
/// @collective over `comm`, in an intercepted call
/// @cost a look-up of a few nanoseconds; before there is one, an all-reduce of an integer after 8 calls, 16,
/// 32 and so on; then an all-reduce and perhaps the building
const hierarchy* hierarchy_of(MPI_Comm comm);

/// Neighbours by the topology of a communicator.
struct known_neighbours {
    neighbourhood links;
    bool has_several_links; ///< whether some rank has several links to one rank, or from one
};

/// Those of a communicator that has a hierarchy. Cached with the hierarchy.
/// @collective over `comm` the first time @throws what `neighbourhood` throws
const known_neighbours& neighbours_on(MPI_Comm comm);

/// While it lives, the calling thread is in the MPI's own call, whose time counts for the communicator where
/// `hierarchy_of` has just given null because no hierarchy is built yet. Local
class timed_call {
public:
    timed_call() noexcept;
    ~timed_call();
    timed_call(const timed_call&) = delete;
    timed_call& operator=(const timed_call&) = delete;

private:
    std::chrono::nanoseconds* spent_; ///< of the communicator; null: nothing is timed
    std::uint64_t generation_ = 0;
    std::chrono::steady_clock::time_point begin_;
};

/// Whether a communicator has a hierarchy, or may get one at one of its next calls. Local, and the same on
/// all ranks
bool may_have_hierarchy(MPI_Comm comm);

/// `hierarchy_of` without delay, for a call that is made once. @collective over `comm`
const hierarchy* hierarchy_at_once(MPI_Comm comm);

/// Whether some rank of a communicator that has a hierarchy may use memory that the processor cannot read:
/// the runtime of an accelerator was loaded when the hierarchy was built. Local, and the same on all ranks
bool may_use_devices(MPI_Comm comm);

/// Who serves a communicator's non-blocking collectives.
struct background_ranks {
    const hierarchy* levels = nullptr;                  ///< null: they are left to the MPI
    std::shared_ptr<detail::context> context;           ///< not the one of the blocking collectives
    std::shared_ptr<const known_neighbours> neighbours; ///< as `context`; null: there is no topology
};

/// Those of a communicator that has them already, as a non-blocking call must not wait; if it has none,
/// the next blocking call makes them. Local, and the same on all ranks, for they call all collectives in one
/// order.
background_ranks background_ranks_of(MPI_Comm comm);

/// The same, made now where a communicator may have them, for a persistent collective. @collective over
/// `comm`
background_ranks background_ranks_at_once(MPI_Comm comm);

/// While it lives, collectives on a communicator are left to the MPI, for it is being freed: the callbacks of
/// its attributes may still call some, before or after the hierarchy has gone.
class freeing {
public:
    explicit freeing(MPI_Comm comm);
    ~freeing();
    freeing(const freeing&) = delete;
    freeing& operator=(const freeing&) = delete;

    /// Of the calling thread.
    static bool is_going_on_for(MPI_Comm comm);

private:
    MPI_Comm comm_;
    const freeing* outer_; ///< callbacks may free other communicators
};

} // namespace topo::preload
