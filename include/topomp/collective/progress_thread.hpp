// SPDX-License-Identifier: BSL-1.0
/// @file
/// A thread that goes on with the collectives of a hierarchy while the program computes.
#pragma once

#include <topomp/core/detail/owned.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

namespace topo {

/// As long as it lives, a thread of its own goes on with the requests and persistent collectives of a
/// hierarchy that are active.
///
/// ```
///   boost::mpi::environment env{boost::mpi::threading::multiple};
///   topo::progress_thread helper{levels};
///   auto sum = topo::iall_reduce(levels, in, out, std::plus<>{});
///   compute();       // the sum goes on, whatever happens here
///   sum.wait();
/// ```
///
/// It needs `MPI_THREAD_MULTIPLE`, because it calls MPI while the program does. The program may still use the
/// hierarchy in one thread at a time only. What goes on: the collectives of this hierarchy, those of hybrid
/// verbs, and exchanges on a `neighbourhood` that was made from it. What does not: other hierarchies, which
/// need threads of their own; exchanges on a `node_cart` or a `graph`; and exchanges on a communicator with a
/// topology of MPI's, which belong to the hierarchy that is cached on it (`hierarchy::of`). While the program
/// waits in a verb or a request of this hierarchy, its own thread goes on with all, and the helper waits.
///
/// The thread tests for messages while a request is active, less and less often (up to 0.2 ms apart) if none
/// arrive, and sleeps otherwise. It pays where it has a core of its own; where
/// ranks share cores, it takes time from them.
class progress_thread {
public:
    /// Starts the thread. Local, but for the first collective of a hierarchy. Ranks may decide each for
    /// itself
    /// @throws usage_error if MPI was initialised with less than `MPI_THREAD_MULTIPLE`, or the hierarchy has
    /// such a thread already
    explicit progress_thread(const hierarchy& levels);
    /// A communicator in the place of the hierarchy does not compile.
    template <class = void>
    explicit progress_thread(detail::no_hierarchy) TOPOMP_NEEDS_HIERARCHY;
    progress_thread(const progress_thread&) = delete;
    progress_thread& operator=(const progress_thread&) = delete;
    /// Ends the thread. What is active stays so.
    ~progress_thread();

private:
    struct worker;
    detail::owned<worker> worker_;
};

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/progress_thread.ipp>
#endif
